/** What eyes, fingers and screen readers find wrong with a page as it stands; each answers a list that should be empty. */

const TOUCH_PX = 44;
/** WCAG 2.2, 1.4.3. */
const CONTRAST = 4.5;

/** What is touched and not high enough for a finger. */
export const tooSmall = (page) => page.evaluate((least) => [...document.querySelectorAll("button, input, select, textarea, summary, a")]
  .filter((element) => element.checkVisibility() && !element.closest("label") && !element.matches(".skip-link, .for-screen-readers"))
  .map((element) => ({ name: element.getAttribute("aria-label") ?? element.textContent, height: element.getBoundingClientRect().height }))
  .filter(({ height }) => height < least - 0.5), TOUCH_PX);

/** Controls without a name. */
export const nameless = (page) => page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, summary, a, [role=button], [role=region]")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.getAttribute("aria-label") ?? element.textContent).trim() && !element.labels?.length)
  .map((element) => element.outerHTML.slice(0, 200)));

/** Elements that stick out of the window to the side. */
export const stickingOut = (page) => page.evaluate(() => [...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility() && !element.closest(".for-screen-readers, svg") && getComputedStyle(element).position !== "absolute")
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1);
  })
  .map((element) => element.outerHTML.slice(0, 200)));

/** Text that does not stand out from what is behind it. */
export const faint = (page) => page.evaluate((least) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([red, green, blue]) => [red, green, blue]
    .map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let around = element; around; around = around.parentElement) {
      const color = rgba(getComputedStyle(around).backgroundColor);
      if (color[3] === 255) return color;
    }
    return rgba("white");
  };
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !element.closest("svg, .for-screen-readers, [disabled]"))
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== ""))
    .map((element) => {
      const [one, other] = [rgba(getComputedStyle(element).color), behind(element)].map(luminance);
      return { text: element.textContent.slice(0, 80), contrast: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) };
    })
    .filter(({ contrast }) => contrast < least);
}, CONTRAST);
