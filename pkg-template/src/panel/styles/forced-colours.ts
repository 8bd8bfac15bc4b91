/** What stands out where colours are forced. */
export const forcedColours = /* css */ `
@media (forced-colors: active) {
  .score-bar {
    border: 1px solid;
  }

  .score-bar::before {
    background: CanvasText;
    forced-color-adjust: none;
  }

  .icon-button[aria-pressed="true"] {
    border-color: Highlight;
  }

  .tab-bar .tab {
    border-block-end-color: Canvas;
  }

  .tab-bar .tab[aria-selected="true"] {
    border-block-end-color: Highlight;
  }

  mark,
  del,
  ins {
    border: 1px solid;
  }

  .node rect {
    fill: Canvas;
  }

  .node-centre rect {
    stroke: Highlight;
  }
}
`;
