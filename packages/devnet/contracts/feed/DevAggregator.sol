// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IAggregator} from "./IAggregator.sol";

/// A price feed of Chainlink's shape whose answer its owner sets.
contract DevAggregator is IAggregator {
    uint256 public constant version = 4;
    uint8 public immutable decimals;
    address public immutable owner;

    string public description;
    uint80 public roundId;
    int256 public latestAnswer;
    uint256 public latestTimestamp;

    /// While false the answer always looks fresh, so an idle devnet does not go stale. Freeze it to see prices expire.
    bool public frozenTime;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    modifier onlyOwner() {
        require(msg.sender == owner, "only owner");
        _;
    }

    constructor(uint8 decimals_, string memory description_, int256 answer) {
        decimals = decimals_;
        description = description_;
        owner = msg.sender;
        _update(answer);
    }

    function updateAnswer(int256 answer) external onlyOwner {
        _update(answer);
    }

    function setFrozenTime(bool frozen) external onlyOwner {
        frozenTime = frozen;
        latestTimestamp = block.timestamp;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        uint256 updatedAt = frozenTime ? latestTimestamp : block.timestamp;
        return (roundId, latestAnswer, updatedAt, updatedAt, roundId);
    }

    function _update(int256 answer) private {
        latestAnswer = answer;
        latestTimestamp = block.timestamp;
        roundId++;
        emit AnswerUpdated(answer, roundId, block.timestamp);
    }
}
