// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Bubble} from "./Bubble.sol";
import {IOdosRouterV3} from "./IOdosRouterV3.sol";
import {SwapExecutor} from "./SwapExecutor.sol";

/// Stands in for Odos's router V3: its `swap`, which never pays more than was quoted.
contract OdosRouter is IOdosRouterV3 {
    using SafeERC20 for IERC20;

    uint256 private constant FEE_DENOMINATOR = 1e18;

    event Swap(
        address sender,
        uint256 inputAmount,
        address inputToken,
        uint256 amountOut,
        address outputToken,
        int256 slippage,
        uint64 referralCode,
        uint64 referralFee,
        address referralFeeRecipient
    );

    function swap(
        SwapTokenInfo calldata tokenInfo,
        bytes calldata pathDefinition,
        address executor,
        SwapReferralInfo calldata referralInfo
    ) external payable returns (uint256 amountOut) {
        require(tokenInfo.outputMin <= tokenInfo.outputQuote, "Minimum greater than quote");
        require(tokenInfo.outputMin > 0, "Slippage limit too low");
        require(tokenInfo.inputToken != tokenInfo.outputToken, "Arbitrage not supported");
        amountOut = _bought(tokenInfo, pathDefinition, executor);
        amountOut -= amountOut * referralInfo.fee / FEE_DENOMINATOR;
        int256 slippage = int256(amountOut) - int256(tokenInfo.outputQuote);
        if (slippage > 0) amountOut = tokenInfo.outputQuote;
        require(amountOut >= tokenInfo.outputMin, "Slippage Limit Exceeded");
        IERC20(tokenInfo.outputToken).safeTransfer(tokenInfo.outputReceiver, amountOut);
        emit Swap(
            msg.sender,
            tokenInfo.inputAmount,
            tokenInfo.inputToken,
            amountOut,
            tokenInfo.outputToken,
            slippage,
            referralInfo.code,
            referralInfo.fee,
            referralInfo.feeRecipient
        );
    }

    function _bought(SwapTokenInfo calldata tokenInfo, bytes calldata pathDefinition, address executor)
        private
        returns (uint256)
    {
        uint256 before = IERC20(tokenInfo.outputToken).balanceOf(address(this));
        IERC20(tokenInfo.inputToken).safeTransferFrom(msg.sender, tokenInfo.inputReceiver, tokenInfo.inputAmount);
        uint256[] memory amounts = new uint256[](1);
        amounts[0] = tokenInfo.inputAmount;
        Bubble.call(executor, abi.encodeCall(SwapExecutor.executePath, (pathDefinition, amounts, msg.sender)));
        return IERC20(tokenInfo.outputToken).balanceOf(address(this)) - before;
    }
}
