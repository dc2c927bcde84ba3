// On a phone a lesson is longer than the screen.

/** A window narrower than this has the words under the picture. */
const NARROW_PX = 640;
/** The page's own bar, which lies over what is scrolled under it. */
const PAGE_BAR_PX = 60;

/** After the page of a lesson was turned, its picture and its first words are in view again, if the reader had scrolled past them. */
export function keepTop(lesson: HTMLElement) {
  if (window.innerWidth < NARROW_PX && lesson.getBoundingClientRect().top < PAGE_BAR_PX)
    lesson.scrollIntoView({ block: "start" });
}
