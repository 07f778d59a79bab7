// Turns the Fletch programs of any web page into playgrounds. One line, anywhere on the page:
//
//   <script src="https://…/embed.js"></script>
//
// Every `<pre><code class="language-fletch">` becomes an embedded playground when it is scrolled into view. Until then, and without
// scripts, it stays plain text. Every link `<a class="fletch-lesson" href="…/tour/05-by-hand/#exercise-bias">` to a lesson of the tour
// becomes that lesson. `data-panes="editor,steps,heap"` on the script chooses the panes of all playgrounds; on a `pre` or its `code`,
// those of that one. `data-readonly` makes the text read-only. `Fletch.embed()` finds elements that were added later.
(() => {
  const script = document.currentScript;
  const site = new URL('.', script.src);
  const known = new WeakSet();
  const frames = new Map();

  /** Raw deflate of bytes in stored blocks: the frame's address is not shown or shared, so it need not be short. */
  function stored(bytes) {
    const most = 0xffff;
    const blocks = Math.max(1, Math.ceil(bytes.length / most));
    const out = new Uint8Array(bytes.length + 5 * blocks);
    for (let block = 0; block < blocks; block += 1) {
      const part = bytes.subarray(block * most, (block + 1) * most);
      const [low, high] = [part.length & 0xff, part.length >> 8];
      const last = block === blocks - 1 ? 1 : 0;
      const at = block * (most + 5);
      out.set([last, low, high, low ^ 0xff, high ^ 0xff], at);
      out.set(part, at + 5);
    }
    return out;
  }

  function payload(text) {
    const bytes = stored(new TextEncoder().encode(text));
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  }

  function address(code, option) {
    const query = new URLSearchParams({ embed: '', panes: option('panes') ?? 'editor,steps' });
    if (option('readonly') !== undefined) query.set('readonly', '');
    const page = new URL(site);
    page.search = query.toString().replaceAll('%2C', ',');
    page.hash = `v1.${payload(code.textContent.replace(/\n$/, ''))}`;
    return page.href;
  }

  /** Address of an embedded lesson, from a link to the lesson's own page; undefined if the link is none. */
  function lesson(link) {
    const [, name, place] = /\/tour\/([\w-]+)\/(?:index\.html)?(?:#([\w-]+))?$/.exec(link.href) ?? [];
    if (!name) return undefined;
    const page = new URL(site);
    page.search = 'embed=&panes=editor,steps,diagram';
    page.hash = `tour=${name}${place ? `/${place}` : ''}`;
    return page.href;
  }

  function open(pre) {
    const code = pre.querySelector('code');
    const option = (name) => code?.dataset[name] ?? pre.dataset[name] ?? script.dataset[name];
    const src = code ? address(code, option) : lesson(pre);
    if (!src) return;
    const frame = document.createElement('iframe');
    frame.title = code ? 'A program in Fletch' : `Fletch: ${pre.textContent.trim()}`;
    frame.className = 'fletch-embed';
    frame.allow = 'clipboard-write; fullscreen; web-share';
    frame.src = src;
    // The frame has no height until it reports the height it needs. Until then, and if the frame never answers, the text is shown.
    frame.style.cssText = 'display: block; width: 100%; height: 0; border: 0; overflow: hidden;';
    frames.set(frame, pre);
    pre.before(frame);
  }

  addEventListener('message', ({ data, source, origin }) => {
    if (origin !== site.origin || data?.fletch !== 'height') return;
    for (const [frame, pre] of frames) {
      if (frame.contentWindow !== source) continue;
      const height = Math.min(Math.max(Number(data.height) || 0, 120), 2000);
      frame.style.cssText = `display: block; width: 100%; height: ${height}px; max-height: 90vh; margin: 1em 0; border: 1px solid #8886; border-radius: 8px;`;
      pre.hidden = true;
      pre.style.display = 'none';
      // A slide deck centres a slide's contents vertically, so it has to lay the slide out again.
      globalThis.Reveal?.layout?.();
    }
  });

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      open(target);
    }
  }, { rootMargin: '200px' });

  /** Observes the programs and lessons below an element that are not observed yet. */
  function embed(root = document) {
    const programs = [...root.querySelectorAll('pre > code.language-fletch')].map((code) => code.parentElement);
    for (const pre of [...programs, ...root.querySelectorAll('a.fletch-lesson')]) {
      if (known.has(pre)) continue;
      known.add(pre);
      seen.observe(pre);
    }
  }

  globalThis.Fletch = { embed };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => embed());
  embed();
})();
