// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// The part of Chainlink's AggregatorV3Interface the platform reads.
interface IAggregator {
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}
