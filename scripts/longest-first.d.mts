import { BaseSequencer } from "vitest/node"

/** Begins the test files that take longest first. */
export declare class LongestFirst extends BaseSequencer {}
