let reportStyle = #"""
  :root {
    --background: #ffffff; --text: #1d1d1f; --quiet: #5f6368; --line: #d8dadd; --panel: #f5f6f7;
    --accent: #0a5fd6; --bar: #cfe0f7; --bad: #b3261e; --rest: #c9ccd1; --edge: #ffffff;
    --t0: #3a78b8; --t1: #9a6a0e; --t2: #a5468f; --t3: #3a7f4b; --t4: #7464b8; --t5: #b4483d;
    --t6: #66727d; --t7: #77736a; --t8: #94999f;
  }
  @media screen and (prefers-color-scheme: dark) {
    :root {
      --background: #17181a; --text: #e8e9eb; --quiet: #a2a7ae; --line: #3a3d42; --panel: #212327;
      --accent: #78aef5; --bar: #27405f; --bad: #f0938b; --rest: #4a4d52; --edge: #17181a;
      --t0: #3f78b0; --t1: #96660f; --t2: #94478a; --t3: #3a794b; --t4: #6f62ab; --t5: #a2483f;
      --t7: #716d65; --t8: #565a60;
    }
  }
  * { box-sizing: border-box; }
  body {
    margin: 0 auto; padding: 1.25rem clamp(0.75rem, 3vw, 2.5rem) 3rem; max-width: 110rem;
    background: var(--background); color: var(--text);
    font: 15px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif;
  }
  h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
  h2 { font-size: 1.1rem; margin: 2.25rem 0 0.25rem; }
  p { margin: 0.25rem 0 0.75rem; max-width: 60rem; overflow-wrap: anywhere; }
  a { color: var(--accent); }
  .quiet, small { color: var(--quiet); }
  .bad { color: var(--bad); }
  html:not(.js) .js { display: none; }
  .totals { display: flex; flex-wrap: wrap; gap: 0.75rem 2.25rem; margin: 1rem 0 0; }
  .totals dt { color: var(--quiet); font-size: 0.85rem; }
  .totals dd { margin: 0; font-size: 1.35rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
  .totals div:first-child dd { font-weight: 650; }
  .totals small { display: block; font-size: 0.85rem; font-weight: normal; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  th, td { padding: 0.3rem 0.75rem 0.3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
  thead th { font-weight: 600; white-space: nowrap; vertical-align: bottom; }
  tbody th { font-weight: inherit; overflow-wrap: anywhere; min-width: 11rem; }
  tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
  .n { text-align: right; white-space: nowrap; }
  .n + :not(.n) { padding-left: 0.75rem; }
  .bar { min-width: 8.5rem; background: linear-gradient(to right, var(--bar) var(--b), transparent 0) no-repeat 0 0.35rem / calc(100% - 0.75rem) 1.25rem; }
  thead button { all: unset; cursor: pointer; }
  thead button::after { content: "\00a0\2195"; color: var(--quiet); opacity: 0.6; }
  thead button:hover { color: var(--accent); }
  [aria-sort] button::after { opacity: 1; color: inherit; }
  [aria-sort="ascending"] button::after { content: "\00a0\2191"; }
  [aria-sort="descending"] button::after { content: "\00a0\2193"; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .controls { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0.5rem 0; }
  .controls label { color: var(--quiet); }
  select, input[type="search"], section > button, .legend button {
    font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--line);
    border-radius: 5px; padding: 0.15rem 0.5rem;
  }
  section > button { margin-top: 0.75rem; cursor: pointer; color: var(--accent); }
  input[type="search"] { width: min(20rem, 60vw); }
  .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 0.4rem; padding: 0; margin: 0.5rem 0; list-style: none; font-size: 0.9rem; max-height: 8.5rem; overflow-y: auto; }
  .legend button { cursor: pointer; border-radius: 1rem; padding: 0.1rem 0.7rem; }
  .legend button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .legend span { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; margin-right: 0.4em; vertical-align: -0.05em; background: var(--c); }
  .crumbs { overflow-wrap: anywhere; min-height: 1.8rem; }
  .crumbs button, #folders-rows button { all: unset; cursor: pointer; color: var(--accent); }
  .crumbs button:focus-visible, #folders-rows button:focus-visible, thead button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .columns { position: relative; display: grid; gap: 1rem; }
  .columns .scroll { max-height: 20rem; overflow: auto; font-size: 0.9rem; }
  #folders th { min-width: 7rem; }
  #folders .bar { min-width: 6rem; }
  @media (min-width: 60rem) {
    .js .columns { grid-template-columns: minmax(0, 1fr) 24rem; }
    .js .columns .scroll { max-height: var(--map); }
  }
  .chart { display: block; width: 100%; max-width: 60rem; height: 10rem; border-bottom: 1px solid var(--line); }
  .today { fill: var(--t6); background: var(--t6); }
  .proposed { fill: var(--t3); background: var(--t3); }
  .key { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; }
  :root { --map: clamp(20rem, 62vh, 46rem); }
  .canvas { position: relative; }
  canvas { display: block; width: 100%; height: var(--map); border-radius: 5px; cursor: pointer; }
  .tip {
    position: absolute; pointer-events: none; max-width: min(28rem, 90%); padding: 0.4rem 0.6rem;
    background: var(--background); color: var(--text); border: 1px solid var(--line); border-radius: 5px;
    box-shadow: 0 2px 10px rgb(0 0 0 / 25%); overflow-wrap: anywhere; font-size: 0.9rem;
  }
  .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  @media (max-width: 40rem) {
    tr > :first-child { position: sticky; left: 0; background: var(--background); z-index: 1; min-width: 38vw; max-width: 46vw; }
    .bar { min-width: 6rem; }
    .legend { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; }
  }
  @media print {
    body { padding: 0; max-width: none; font-size: 10px; }
    .controls, .crumbs, .tip, button#more, section > button, .js .columns .scroll, #map > p { display: none; }
    .js .columns { display: block; }
    .scroll, .legend { overflow: visible; max-height: none; }
    thead button::after { content: none; }
    thead th, .n { white-space: normal; }
    th, td { padding: 0.2rem 0.4rem 0.2rem 0; }
    tbody th, .bar { min-width: 5rem; }
    canvas { height: 24rem; }
    #map { break-inside: avoid; }
    h2 { break-after: avoid; } tr { break-inside: avoid; }
    * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  }
  """#
