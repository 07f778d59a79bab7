// Search of the gallery. Without scripts its field stays hidden and all examples are shown.
const field = document.getElementById('search');
const found = document.querySelector('output');
const cards = [...document.querySelectorAll('.card')];
field.closest('[hidden]').hidden = false;
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of cards) {
    const text = card.textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
  for (const section of document.querySelectorAll('main section')) section.hidden = !section.querySelector('.card:not([hidden])');
  const left = cards.filter((card) => !card.hidden).length;
  found.textContent = words.length ? `${left} of ${cards.length}` : '';
});
