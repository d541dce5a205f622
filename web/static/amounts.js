// How many: a field for a number where a row of buttons would be too long.

import { button, h } from "./dom.js";
import { say } from "./words.js";

/** Return a field for one of many amounts; the keys are "amount:N". */
export function amountField(options, take) {
  const amounts = options.map((option) => Number(option.key.split(":")[1])).sort((a, b) => a - b);
  const [least, most] = [amounts[0], amounts.at(-1)];
  const nearest = (value) => amounts.reduce((best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best));
  const shown = [...new Set([least, nearest(most / 4), nearest(most / 2), nearest((3 * most) / 4), most])];
  const input = h("input", { type: "number", min: least, max: most, value: most, "aria-label": say("move.amount") });
  const submit = (event) => {
    event.preventDefault();
    take(`amount:${nearest(Number(input.value))}`);
  };
  return h("form", { class: "amounts", onsubmit: submit },
    h("div", { class: "choices" }, shown.map((amount) => button(String(amount), () => take(`amount:${amount}`), { "data-key": `amount:${amount}` }))),
    h("div", { class: "row" }, input, h("button", { type: "submit", class: "main" }, say("move.take"))));
}
