export const strategy = { description: "Misbehaves.", inputs: {}, decide: (state) => { fetch('https://example.com') } }
