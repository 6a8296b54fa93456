export const strategy = { description: "Misbehaves.", inputs: {}, decide: (state) => { for (;;) {} } }
