import { mount } from "svelte";
import App from "./App.svelte";
import "./ui/tokens.css";
import "./ui/base.css";

const target = document.getElementById("app");
if (!target) throw new Error("there is no #app in the page");
mount(App, { target });

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  // Once the page is there, since the worker fetches a lot. Without a server the next visit tries.
  addEventListener("load", () => {
    navigator.serviceWorker.register("/service-worker.js").catch(() => {});
  });
}
