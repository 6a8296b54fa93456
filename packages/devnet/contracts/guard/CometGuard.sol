// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IGuard} from "./IGuard.sol";

/// What the guard knows of a Comet.
interface IComet {
    function baseToken() external view returns (address);
    function supply(address asset, uint256 amount) external;
    function withdraw(address asset, uint256 amount) external;
}

/// Lets a vault supply a Comet's base token and take it back. Without collateral it cannot borrow there.
contract CometGuard is IGuard {
    uint16 private constant DEPOSIT = 77;
    uint16 private constant WITHDRAW = 78;

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        PoolManagerLogic logic = PoolManagerLogic(poolManagerLogic);
        bytes4 method = bytes4(data);
        if (method == IComet.supply.selector) {
            (address asset,) = abi.decode(data[4:], (address, uint256));
            require(asset == IComet(to).baseToken(), "invalid Compound asset");
            require(logic.isSupportedAsset(to), "Compound not enabled");
            return (DEPOSIT, false);
        }
        if (method == IComet.withdraw.selector) {
            (address asset,) = abi.decode(data[4:], (address, uint256));
            require(logic.isSupportedAsset(asset), "unsupported withdrawal asset");
            return (WITHDRAW, false);
        }
        return (0, false);
    }
}
