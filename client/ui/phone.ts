import { MediaQuery } from "svelte/reactivity";

/** Whether the page is held upright in a hand: everything stands in one column. */
export const phone = new MediaQuery("(width < 700px) and (height >= 480px)");
