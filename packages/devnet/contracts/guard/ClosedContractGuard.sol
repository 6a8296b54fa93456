// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IGuard} from "./IGuard.sol";

/// For spenders that may be approved but never called.
contract ClosedContractGuard is IGuard {
    function txGuard(address, address, bytes calldata) external pure returns (uint16 txType, bool isPublic) {
        return (0, false);
    }
}
