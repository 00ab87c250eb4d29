import { mount } from "svelte";
import App from "./App.svelte";
import "./ui/tokens.css";
import "./ui/base.css";

const target = document.getElementById("app");
if (!target) throw new Error("there is no #app in the page");
mount(App, { target });

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  // The server cannot be reached; the next visit tries again.
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
