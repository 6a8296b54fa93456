// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {CoreDepositWallet} from "../hyperliquid/CoreDepositWallet.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {CoreWriterGuard} from "./CoreWriterGuard.sol";
import {IGuard} from "./IGuard.sol";

/// Lets a vault that may trade on the derivatives exchange bring USDC there, if what it has there counts in its value.
contract CoreDepositWalletGuard is IGuard {
    uint16 private constant DEPOSIT = 124;
    /// The asset that stands for the account, as on the live platform: the core writer.
    address private constant POSITION = 0x3333333333333333333333333333333333333333;

    CoreWriterGuard public immutable writerGuard;

    constructor(address writerGuard_) {
        writerGuard = CoreWriterGuard(writerGuard_);
    }

    function txGuard(address poolManagerLogic, address, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        if (bytes4(data) != CoreDepositWallet.deposit.selector) return (0, false);
        PoolManagerLogic logic = PoolManagerLogic(poolManagerLogic);
        require(writerGuard.isWhitelisted(logic.poolLogic()), "pool not whitelisted");
        require(logic.isSupportedAsset(POSITION), "CoreWriter not supported asset");
        (, uint32 dexId) = abi.decode(data[4:], (uint256, uint32));
        require(dexId == 0 || dexId == type(uint32).max, "unsupported dex");
        return (DEPOSIT, false);
    }
}
