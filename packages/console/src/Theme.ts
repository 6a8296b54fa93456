/** The theme of the console: colours, type and shapes. Styles that need a selector are in styles.css. */
import { createTheme, type MantineColorsTuple } from "@mantine/core"

/** The colour of the mark, of links and of primary buttons. */
const iris: MantineColorsTuple = [
  "#eef0ff",
  "#dfe2fb",
  "#bcc2f4",
  "#979fec",
  "#7a84e6",
  "#6772e2",
  "#5c68dc",
  "#4c57c4",
  "#3f49ad",
  "#343d94"
]

/** Greys of the dark scheme, a little blue: text, dimmed, borders, controls, cards, page. */
const dark: MantineColorsTuple = [
  "#d6dae3",
  "#b6bcc9",
  "#8e96a6",
  "#626a7a",
  "#3f4655",
  "#323846",
  "#20252f",
  "#1a1e27",
  "#13161d",
  "#0c0e13"
]

/** Shades with enough contrast for small text in both schemes. Respects the user's setting for reduced motion. */
export const theme = createTheme({
  primaryColor: "iris",
  primaryShade: { light: 8, dark: 8 },
  colors: { iris, dark },
  defaultRadius: "md",
  respectReducedMotion: true,
  autoContrast: true,
  // At this luminance, white and black text have equal contrast; below it white has at least 4.5:1, above it black.
  luminanceThreshold: 0.183,
  fontFamily: "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.375rem", lineHeight: "1.25" },
      h3: { fontSize: "1.125rem", lineHeight: "1.3" },
      h4: { fontSize: "1rem", lineHeight: "1.4" },
      h5: { fontSize: "0.9375rem", lineHeight: "1.4" }
    }
  },
  // By name: an imported component would be loaded before any page needs it.
  components: {
    // Long addresses wrap at the end of the line.
    Alert: {
      styles: { title: { color: "var(--mantine-color-text)" }, message: { overflowWrap: "anywhere" } }
    },
    // A badge's text is never truncated, and is read as it is written.
    Badge: {
      styles: {
        root: { overflow: "visible", flexShrink: 0, textTransform: "none", fontWeight: 600 },
        label: { overflow: "visible" }
      }
    },
    Card: { defaultProps: { radius: "md" } },
    // Screen readers announce the label only if there is a role.
    Loader: { defaultProps: { role: "status" } },
    Modal: { styles: { title: { fontWeight: 650, fontSize: "1.125rem" } } }
  }
})
