import { BaseSequencer, type TestSpecification } from "vitest/node"
export declare class LongestFirst extends BaseSequencer {
  sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>>
}
