// How large the board is: as wide as leaves room for the panel beside it, and if possible all of it on the screen.

const TWO_COLUMNS = 720; // pixels of width from which the panel stands beside the board
const LEAST = 520; // pixels that a board is not made smaller than to be seen as a whole

/** Keep the width of the board fitting. */
export function fitBoard(table, board) {
  const fit = () => {
    const wide = table.clientWidth;
    const room = wide < TWO_COLUMNS ? wide : wide - Math.min(460, Math.max(280, wide * 0.3)) - 16;
    const high = innerHeight - table.getBoundingClientRect().top - scrollY - 12;
    const whole = high * (board.ratio ?? 1);
    table.style.setProperty("--fit", `${Math.floor(wide < TWO_COLUMNS ? room : Math.min(room, Math.max(whole, LEAST)))}px`);
    table.style.setProperty("--high", `${Math.floor(high)}px`);
    table.classList.toggle("columns", wide >= TWO_COLUMNS);
  };
  new ResizeObserver(fit).observe(table.parentElement);
  addEventListener("resize", fit);
  fit();
}
