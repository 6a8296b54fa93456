/** The style of a tearsheet: on a screen, and on A4 when it is printed. */
export const tearsheetStyle = `
:root { --ink: #16202c; --soft: #5c6b7a; --line: #e3e8ee; --accent: #1f5fbf; --up: #0d7a4f; --down: #b3261e; }
* { box-sizing: border-box; margin: 0; }
html { background: #f3f5f8; color: var(--ink); font: 13px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
main { max-width: 960px; margin: 32px auto; padding: 40px 44px; background: #fff; border: 1px solid var(--line);
  border-radius: 10px; }
header { display: flex; justify-content: space-between; align-items: flex-end; gap: 24px; padding-bottom: 18px;
  border-bottom: 2px solid var(--ink); }
h1 { font-size: 26px; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 11px; font-weight: 650; letter-spacing: 0.07em; text-transform: uppercase; color: var(--soft);
  margin-bottom: 8px; }
.address { font: 12px ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--soft); margin-top: 4px;
  overflow-wrap: anywhere; }
.period { text-align: right; color: var(--soft); white-space: nowrap; }
.period strong { color: var(--ink); font-weight: 550; }
.figures { display: grid; grid-template-columns: repeat(5, 1fr); gap: 0; margin: 22px 0 26px; }
.figure { padding: 2px 14px; border-left: 1px solid var(--line); }
.figure:first-child { padding-left: 0; border-left: 0; }
.figure dt { color: var(--soft); }
.figure dd { font-size: 21px; font-weight: 620; letter-spacing: -0.01em; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.figure p { font-size: 11px; color: var(--soft); }
section { margin-bottom: 24px; break-inside: avoid; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 32px; align-items: start; }
.pair > * { min-width: 0; }
svg { display: block; width: 100%; height: auto; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .tick { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.pair svg .tick { font-size: 17px; }
svg path { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.pair svg path { stroke-width: 2.4; }
svg path.line, svg path.area { stroke: var(--accent); }
svg circle.line, svg circle.area { fill: var(--accent); }
svg path.loss { stroke: var(--down); }
svg circle.loss { fill: var(--down); }
svg path.fill { stroke: none; }
svg path.area.fill { fill: #1f5fbf22; }
svg path.loss.fill { fill: #b3261e1f; }
svg .gap { fill: #8795a526; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { font-weight: 550; color: var(--soft); border-bottom: 1px solid var(--ink); }
td { border-bottom: 1px solid var(--line); }
th, td { padding: 4px 0 4px 12px; text-align: right; vertical-align: top; }
.name { padding-left: 0; text-align: left; }
.gaps th, .gaps td { text-align: left; }
.gaps td:not(:last-child) { white-space: nowrap; }
.up { color: var(--up); }
.down { color: var(--down); }
.note, .none, footer { font-size: 11px; color: var(--soft); }
.note { margin-top: 6px; }
.warning { margin-top: 18px; padding: 10px 14px; background: #fff6e0; border: 1px solid #efd9a0; border-radius: 6px; }
footer { border-top: 1px solid var(--line); padding-top: 12px; }
@media screen and (max-width: 720px) {
  main { margin: 0; padding: 20px; border: 0; border-radius: 0; }
  header { flex-direction: column; align-items: flex-start; }
  .period { text-align: left; white-space: normal; }
  .figures { grid-template-columns: 1fr 1fr; gap: 14px 0; }
  .figure, .figure:first-child { padding: 0; border: 0; }
  .pair { grid-template-columns: 1fr; gap: 0; }
  .pair svg .tick { font-size: 11px; }
  .pair svg path { stroke-width: 1.8; }
}
@page { size: A4; margin: 14mm 13mm; }
@media print {
  html { background: #fff; font-size: 11px; }
  main { max-width: none; margin: 0; padding: 0; border: 0; border-radius: 0; }
  h1 { font-size: 21px; }
  .figure dd { font-size: 16px; }
  .figure { padding: 2px 9px; }
  .figures { margin: 14px 0 16px; }
  section { margin-bottom: 15px; }
  .pair { gap: 22px; }
  thead { display: table-header-group; }
}
`
