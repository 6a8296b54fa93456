/** The product's mark: a V whose right arm is a rising curve, in a vault's door. The favicon is the same drawing. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: "none" }}>
      <rect width="32" height="32" rx="8" fill="#3f49ad" />
      <path
        d="M7 10.5 13.4 22 18.2 13.5 20.6 17 25 8.5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="25" cy="8.5" r="2.4" fill="#7ee0b5" />
    </svg>
  )
}
