// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ISwapRouter02} from "../guard/ISwapRouter02.sol";

/// Does the swapping for the aggregation routers: sells what it was sent along a Uniswap path. One entry per aggregator.
/// The data is `abi.encode(bytes path, address recipient)` for each of them.
contract SwapExecutor {
    using SafeERC20 for IERC20;

    ISwapRouter02 private immutable _router;

    constructor(address router) {
        _router = ISwapRouter02(router);
    }

    /// 1inch: the data follows the argument bare, and the amount follows the data.
    function execute(address) external payable {
        _sell(msg.data[36:]);
    }

    /// KyberSwap.
    function callBytes(bytes calldata data) external payable {
        _sell(data);
    }

    /// Odos.
    function executePath(bytes calldata data, uint256[] calldata, address) external payable {
        _sell(data);
    }

    function _sell(bytes calldata data) private {
        (bytes memory path, address recipient) = abi.decode(data, (bytes, address));
        address sold;
        assembly ("memory-safe") {
            sold := shr(96, mload(add(path, 32)))
        }
        uint256 amount = IERC20(sold).balanceOf(address(this));
        IERC20(sold).forceApprove(address(_router), amount);
        _router.exactInput(ISwapRouter02.ExactInputParams(path, recipient, amount, 0));
    }
}
