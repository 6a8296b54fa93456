// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IGuard} from "./IGuard.sol";

/// A guard that also looks at the vault after the call.
interface ITxTrackingGuard is IGuard {
    function isTxTrackingGuard() external view returns (bool);

    function afterTxGuard(address poolManagerLogic, address to, bytes calldata data) external;
}
