/** The recipes by name; without a name it is the quickstart. */
import { CannotStart } from "../../StartupFailure.ts"
import { collateral } from "./Collateral.ts"
import { fees } from "./Fees.ts"
import { quickstart } from "./Quickstart.ts"
import { signal } from "./Signal.ts"

const recipes = { signal, collateral, fees }

const isRecipe = (name: string): name is keyof typeof recipes => Object.hasOwn(recipes, name)

export const recipeOf = (names: ReadonlyArray<string>) => {
  const [name] = names
  if (name === undefined) return quickstart
  if (names.length === 1 && isRecipe(name)) return recipes[name]
  return new CannotStart({
    message: `There is no recipe "${names.join(" ")}"; there are ${
      Object.keys(recipes).join(", ")
    }, and without a name the quickstart.`
  })
}
