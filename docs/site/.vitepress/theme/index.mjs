/** VitePress's own theme, without fonts to load, and what runs snippets. */
import Theme from "vitepress/theme-without-fonts";
import RunnableSnippet from "./RunnableSnippet.vue";
import { searchOptions } from "./search.mjs";
import "./style.css";

export default {
  extends: Theme,
  enhanceApp({ app, siteData }) {
    app.component("RunnableSnippet", RunnableSnippet);
    // Here and not among the settings: a function among them would come as text, which the pages' policy forbids to run.
    siteData.value.themeConfig.search.options = { miniSearch: { searchOptions } };
  },
};
