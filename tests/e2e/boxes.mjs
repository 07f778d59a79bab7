// Finds faults in the layout of a page, from the bounding boxes of all its elements.

/**
 * Layout faults: elements that overlap others, are cut off by what does not scroll, stick out of their frames, or cannot be clicked.
 * One line for each fault; empty if there are none.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} within selector of the overlay to check, instead of the whole page
 * @returns {Promise<string[]>}
 */
export const faults = (page, within = 'body') => page.evaluate(look, within);

/** Number of lines of the command that are in sight. */
export const shown = (page) => page.evaluate(() => {
  const pane = document.querySelector('.command');
  const { lineHeight } = getComputedStyle(pane);
  return { lines: Math.floor(pane.clientHeight / Number.parseFloat(lineHeight)) };
});

/** Finds the faults. The function runs in the page, so it uses nothing from outside. */
function look(within) {
  const found = new Set();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const screen = { left: 0, top: 0, right: width, bottom: height };
  const whole = document.scrollingElement;
  if (whole.scrollWidth > width || whole.scrollHeight > height) found.add(`the page scrolls: ${whole.scrollWidth} × ${whole.scrollHeight}`);
  const root = document.querySelector(within);
  if (!root?.checkVisibility()) return [`there is no ${within}`];

  /** Relevant computed styles of an element, cached. */
  const known = new Map();
  const style = (element) => {
    let answer = known.get(element);
    if (!answer) {
      const css = getComputedStyle(element);
      const painted = (colour) => !/^(transparent|rgba\(.*, 0\))$/.test(colour);
      const edges = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => css[`border${side}Style`] !== 'none' && css[`border${side}Width`] !== '0px');
      answer = {
        position: css.position,
        x: css.overflowX, y: css.overflowY,
        ellipsis: css.textOverflow === 'ellipsis',
        // A clamped text ends in …, so a hidden remainder is no fault.
        clamped: css.webkitLineClamp !== 'none',
        inline: css.display === 'inline',
        // An element with a background or a border on all sides has a visible edge.
        framed: css.display !== 'inline' && (edges.length === 4 || painted(css.backgroundColor)),
        // Closed elements still have boxes, and a file field may cover its button with opacity 0.
        hidden: css.visibility !== 'visible' || css.opacity === '0' || !element.checkVisibility(),
      };
      known.set(element, answer);
    }
    return answer;
  };

  const name = (element) => {
    const own = element.id ? `#${element.id}` : `${element.localName}${[...element.classList].map((one) => `.${one}`).join('')}`;
    return own === element.localName && element.parentElement ? `${name(element.parentElement)} ${own}` : own;
  };
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const empty = ({ left, top, right, bottom }) => right - left < 1 || bottom - top < 1;
  const inner = (element) => {
    const { left, top } = element.getBoundingClientRect();
    const { clientLeft, clientTop, clientWidth, clientHeight } = element;
    return { left: left + clientLeft, top: top + clientTop, right: left + clientLeft + clientWidth, bottom: top + clientTop + clientHeight };
  };

  /** Tolerance in px, for the rounding of borders. */
  const SLACK = 1.5;

  /** Visible part of a box, after all scrolling panes around it have scrolled. Notes what cuts the box off. */
  function seen(element, box, label, note = (fault) => found.add(fault)) {
    let rest = box;
    let { position } = style(element);
    let framed = position === 'absolute';
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const css = style(around);
      if (around !== element) {
        // Only its containing block, and the ancestors of that, cut off an absolutely positioned element.
        if (position === 'fixed') break;
        if (position === 'absolute' && css.position === 'static') continue;
        const scrolls = [css.x, css.y].some((way) => way === 'auto' || way === 'scroll');
        const cuts = [css.x, css.y].some((way) => way !== 'visible');
        if (!framed && !scrolls && css.framed && position !== 'absolute') {
          framed = true;
          const edge = around.getBoundingClientRect();
          if (!(css.ellipsis || cuts) && (rest.left < edge.left - SLACK || rest.right > edge.right + SLACK || rest.top < edge.top - SLACK || rest.bottom > edge.bottom + SLACK)) {
            note(`${label} sticks out of ${name(around)}`);
          }
        }
        if (cuts) {
          const place = inner(around);
          const wide = css.x === 'hidden' || css.x === 'clip';
          const high = css.y === 'hidden' || css.y === 'clip';
          if (wide && !css.ellipsis && (rest.left < place.left - SLACK || rest.right > place.right + SLACK)) note(`${label} is cut off by ${name(around)}`);
          if (high && !css.clamped && (rest.top < place.top - SLACK || rest.bottom > place.bottom + SLACK)) note(`${label} is cut off by ${name(around)}`);
          rest = meet(rest, place);
          if (empty(rest)) return rest;
        }
        position = css.position;
        // An absolutely positioned element is an overlay, so it may stick out of its ancestors.
        framed ||= position === 'absolute';
      } else if (css.x === 'hidden' && css.ellipsis) {
        rest = meet(rest, inner(around));
      }
    }
    const { left, top, right, bottom } = rest;
    if (left < -SLACK || top < -SLACK || right > width + SLACK || bottom > height + SLACK) note(`${label} is beyond the screen`);
    return meet(rest, screen);
  }

  /** Closest sticky element that contains the element, or is it; null if there is none. */
  const sticky = (element) => {
    for (let around = element; around; around = around.parentElement) if (style(around).position === 'sticky') return around;
    return null;
  };

  // Text, line by line: the vertical band of the lower-case letters. Then controls, and pictures with an edge.
  const items = [];
  // The name of a mark without room wraps to a hidden line.
  const apart = '.spoken, .skip, .ruler, .tick b, option, script, style, noscript, #boot-message, #ghosts';
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest(apart) || style(element).hidden) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      const text = node.data.trim().slice(0, 24);
      const band = (bottom - top) / 5;
      const label = `“${text}” in ${name(element)}`;
      const box = seen(element, { left, right, top: top + band, bottom: bottom - band }, label);
      if (!empty(box)) items.push({ element, box, label });
      // A number must not stick out of its cell.
      if (element.matches('.map i')) {
        const cell = element.getBoundingClientRect();
        if (left < cell.left - 1 || right > cell.right + 1) found.add(`${label} sticks out of its cell`);
      }
    }
  }
  for (const element of root.querySelectorAll('button, select, input, textarea, svg, .slider, .map, .map-summary, .thumbnail, .legend i, .key i')) {
    if (element.closest(apart) || style(element).hidden || (element.closest('.slider') && !element.matches('.slider'))) continue;
    if (element.matches('button') && !style(element).framed) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const label = name(element);
    if (right - left < 1) continue;
    const box = seen(element, { left, top, right, bottom }, label);
    if (!empty(box)) items.push({ element, box, label });
  }

  // The command may scroll, but its redex must not be cut at the right.
  for (const redex of root.querySelectorAll('.command .redex')) {
    const pane = redex.closest('.command');
    const end = Math.max(...[...redex.getClientRects()].map(({ right }) => right)) + pane.scrollLeft;
    if (end > inner(pane).right) found.add(`“${redex.textContent.slice(0, 24)}”, the redex, is cut at the side`);
  }

  // Overlaps: a sweep from the top down.
  items.sort((a, b) => a.box.top - b.box.top);
  const open = [];
  for (const item of items) {
    for (let at = open.length - 1; at >= 0; at -= 1) {
      const other = open[at];
      if (other.box.bottom <= item.box.top) {
        open.splice(at, 1);
        continue;
      }
      const { left, top, right, bottom } = meet(item.box, other.box);
      if (right - left <= SLACK || bottom - top <= SLACK) continue;
      if (item.element.contains(other.element) || other.element.contains(item.element)) continue;
      if (sticky(item.element) !== sticky(other.element)) continue;
      found.add(`${item.label} overlaps ${other.label}`);
    }
    open.push(item);
  }

  // Each control must receive a click in its middle.
  for (const control of root.querySelectorAll('button, select, input, textarea')) {
    if (control.closest(apart) || control.matches('.tick') || style(control).hidden) continue;
    const [first] = control.getClientRects();
    if (!first || first.width < 1) continue;
    const box = seen(control, first, '', () => {});
    // A control partly scrolled out of its pane may be under the pane's edge.
    if (box.left > first.left || box.top > first.top || box.right < first.right || box.bottom < first.bottom) continue;
    const [x, y] = [(first.left + first.right) / 2, (first.top + first.bottom) / 2];
    const hit = document.elementFromPoint(x, y);
    const around = control.closest('.slider') ?? control;
    if (!hit || around.contains(hit) || sticky(hit) !== sticky(control)) continue;
    found.add(`${name(hit)} lies on ${name(control)} “${control.textContent.trim().slice(0, 24)}”`);
  }
  return [...found];
}
