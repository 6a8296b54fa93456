// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Decides what a vault may call on a target. `txType` 0 means "not mine"; `isPublic` lets anyone make the call.
interface IGuard {
    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        returns (uint16 txType, bool isPublic);
}
