const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === 'ellipsis') return element.scrollWidth > element.clientWidth;
  return webkitLineClamp !== 'none' && webkitLineClamp !== '' && element.scrollHeight > element.clientHeight;
};

/** The titles given here, which follow the text; an element's own title is left alone. */
const given = new WeakSet<Element>();

const textOf = (element: HTMLElement): string =>
  element instanceof HTMLSelectElement ? (element.selectedOptions[0]?.text ?? '') : element.innerText.trim();

/** Under the pointer, a text that an ellipsis cuts shows the whole of it, as does a choice that may be longer than its field. */
export function showCutTexts(): void {
  document.addEventListener('pointerover', ({ target }) => {
    for (let at = target; at instanceof HTMLElement; at = at.parentElement) {
      if (at.title && !given.has(at)) return;
      if (at instanceof HTMLSelectElement || isCut(at)) {
        given.add(at);
        at.title = textOf(at);
        return;
      }
      if (given.delete(at)) at.removeAttribute('title');
    }
  });
}
