export const strategy = { description: "Misbehaves.", inputs: {}, decide: () => { let all = "x"; for (;;) all += all } }
