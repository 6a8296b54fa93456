// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IGuard} from "./IGuard.sol";

/// Lets a vault lend to an fToken and take it back, for itself.
contract FTokenGuard is IGuard {
    uint16 private constant DEPOSIT = 108;
    uint16 private constant WITHDRAW = 109;

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        PoolManagerLogic logic = PoolManagerLogic(poolManagerLogic);
        address pool = logic.poolLogic();
        bytes4 method = bytes4(data);
        if (method == IERC4626.deposit.selector) {
            (, address receiver) = abi.decode(data[4:], (uint256, address));
            require(logic.isSupportedAsset(to), "unsupported destination asset");
            require(receiver == pool, "recipient is not pool");
            return (DEPOSIT, false);
        }
        if (method == IERC4626.withdraw.selector || method == IERC4626.redeem.selector) {
            (, address receiver, address owner) = abi.decode(data[4:], (uint256, address, address));
            require(logic.isSupportedAsset(IERC4626(to).asset()), "unsupported destination asset");
            require(receiver == pool, "recipient is not pool");
            require(owner == pool, "owner is not pool");
            return (WITHDRAW, false);
        }
        return (0, false);
    }
}
