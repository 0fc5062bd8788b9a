/// The style of the page.
let reportStyle = #"""
  :root {
    --background: #ffffff; --text: #1d1d1f; --quiet: #5f6368; --line: #d8dadd; --panel: #f5f6f7;
    --accent: #0a5fd6; --bad: #b3261e; --good: #17692f;
    --image: #3a78b8; --audio: #9a6a0e; --video: #a5468f; --model: #3a7f4b; --data: #7464b8;
    --code: #b4483d; --archive: #66727d; --other: #77736a; --rest: #c9ccd1; --edge: #ffffff;
  }
  @media screen and (prefers-color-scheme: dark) {
    :root {
      --background: #17181a; --text: #e8e9eb; --quiet: #a2a7ae; --line: #3a3d42; --panel: #212327;
      --accent: #78aef5; --bad: #f0938b; --good: #7fcf95;
      --image: #3f78b0; --audio: #96660f; --video: #94478a; --model: #3a794b; --data: #6f62ab;
      --code: #a2483f; --archive: #66727d; --other: #716d65; --rest: #4a4d52; --edge: #17181a;
    }
  }
  * { box-sizing: border-box; }
  body {
    margin: 0 auto; padding: 1.25rem clamp(0.75rem, 3vw, 2.5rem) 3rem; max-width: 110rem;
    background: var(--background); color: var(--text);
    font: 15px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif;
  }
  h1 { font-size: 1.5rem; margin: 0 0 0.25rem; }
  h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
  p { margin: 0.25rem 0 0.75rem; max-width: 60rem; }
  .quiet { color: var(--quiet); }
  .totals { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 1rem 0; padding: 0; }
  .totals div { min-width: 7rem; }
  .totals dt { color: var(--quiet); font-size: 0.85rem; }
  .totals dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { padding: 0.3rem 0.75rem 0.3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
  th { font-weight: 600; white-space: nowrap; }
  th button { all: unset; cursor: pointer; }
  th button:focus-visible, button:focus-visible, select:focus-visible, canvas:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  th[aria-sort="ascending"] button::after { content: " \2191"; }
  th[aria-sort="descending"] button::after { content: " \2193"; }
  .number { text-align: right; white-space: nowrap; }
  .path { overflow-wrap: anywhere; min-width: 12rem; }
  .pack { white-space: nowrap; }
  tfoot td { font-weight: 600; border-bottom: 0; }
  .bad { color: var(--bad); } .good { color: var(--good); }
  .controls { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0.5rem 0; }
  .controls label { color: var(--quiet); }
  select, .controls button, .crumbs button {
    font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
    border-radius: 5px; padding: 0.15rem 0.5rem;
  }
  .crumbs button { border: 0; background: none; color: var(--accent); cursor: pointer; padding: 0.1rem 0.2rem; }
  .crumbs { overflow-wrap: anywhere; min-height: 1.8rem; }
  .map { position: relative; }
  canvas { display: block; width: 100%; height: clamp(20rem, 62vh, 46rem); border-radius: 5px; cursor: pointer; }
  .tip {
    position: absolute; pointer-events: none; max-width: min(28rem, 90%); padding: 0.4rem 0.6rem;
    background: var(--background); color: var(--text); border: 1px solid var(--line); border-radius: 5px;
    box-shadow: 0 2px 10px rgb(0 0 0 / 25%); overflow-wrap: anywhere; font-size: 0.9rem;
  }
  .legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; padding: 0; margin: 0.5rem 0; list-style: none; font-size: 0.9rem; }
  .legend span { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; margin-right: 0.35em; vertical-align: -0.05em; }
  details summary { cursor: pointer; }
  .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  @media print {
    body { padding: 0; max-width: none; font-size: 10px; }
    .controls, .crumbs, .tip, #map-section > p { display: none; }
    .scroll { overflow: visible; }
    th, th.number, .pack { white-space: normal; }
    th, td { padding: 0.2rem 0.4rem 0.2rem 0; }
    .path { min-width: 6rem; }
    canvas { height: 24rem; }
    #map-section { break-inside: avoid; }
    h2 { break-after: avoid; } tr { break-inside: avoid; }
    * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  }
  """#
