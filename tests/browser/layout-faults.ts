import type { Page } from 'playwright-core';

/** The text spacing that WCAG 1.4.12 allows a reader to set. */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }';

/** Works like a reader's own style sheet; the page's policy does not allow inserted styles. */
export const spaceTexts = (page: Page): Promise<void> =>
  page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(spacing)});
    document.adoptedStyleSheets = [sheet];
  }`);

/**
 * Texts of the page that are cut without a way to see the rest, overlap another text, or are beyond the edge of the
 * window. Texts that scroll or end in an ellipsis do not count as cut.
 */
export const layoutFaults = (page: Page, root = 'main'): Promise<string[]> =>
  page.evaluate(`(${findFaults})(${JSON.stringify(root)})`);

const findFaults = `(root) => {
  const scrolls = (style) => /auto|scroll/.test(style.overflowX + style.overflowY);
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const parent = node.parentElement;
    if (!text || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest('svg, option, .sr-only, [aria-hidden] canvas')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // What is seen of it, through each box that clips it.
    let clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
    let isEllipsis = false;
    let isScrolled = false;
    let isHidden = false;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.position === 'absolute' && box.offsetWidth <= 1) isHidden = true;
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') isEllipsis = true;
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      if (scrolls(style)) isScrolled = true;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      clip = { left: Math.max(clip.left, left), right: Math.min(clip.right, right), top: Math.max(clip.top, top), bottom: Math.min(clip.bottom, bottom) };
    }
    if (isHidden) continue;
    for (const rect of range.getClientRects()) {
      if (rect.width < 1) continue;
      const seen = { left: Math.max(rect.left, clip.left), right: Math.min(rect.right, clip.right), top: Math.max(rect.top, clip.top), bottom: Math.min(rect.bottom, clip.bottom) };
      if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1) {
        if (!isScrolled && !isEllipsis) texts.push({ text, fault: 'is hidden' });
        continue;
      }
      const isCut = rect.right - seen.right > 2 || seen.left - rect.left > 2 || rect.bottom - seen.bottom > 4;
      if (isCut && !isEllipsis && !isScrolled) texts.push({ text, fault: 'is cut' });
      if (seen.right > innerWidth + 1 && !isScrolled) texts.push({ text, fault: 'is beyond the window' });
      texts.push({ text, parent, seen, isScrolled });
    }
  }
  const faults = texts.flatMap(({ text, fault }) => (fault ? [text.slice(0, 60) + ' ' + fault] : []));
  const drawn = texts.filter(({ seen }) => seen).sort((a, b) => a.seen.top - b.seen.top);
  for (const [at, { text, seen, parent }] of drawn.entries()) {
    for (let next = at + 1; next < drawn.length && drawn[next].seen.top < seen.bottom - 4; next += 1) {
      const other = drawn[next];
      const width = Math.min(seen.right, other.seen.right) - Math.max(seen.left, other.seen.left);
      const height = Math.min(seen.bottom, other.seen.bottom) - other.seen.top;
      const isOver = width > 2 && height > 4 && other.parent !== parent;
      if (isOver && !parent.closest('[data-over]') ) faults.push(text.slice(0, 40) + ' is over ' + other.text.slice(0, 40));
    }
  }
  return [...new Set(faults)];
}`;
