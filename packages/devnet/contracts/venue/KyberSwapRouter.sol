// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Bubble} from "./Bubble.sol";
import {IMetaAggregationRouterV2} from "./IMetaAggregationRouterV2.sol";
import {SwapExecutor} from "./SwapExecutor.sol";

/// Stands in for KyberSwap's MetaAggregationRouterV2: its selectors, calldata, events and errors.
contract KyberSwapRouter is IMetaAggregationRouterV2 {
    using SafeERC20 for IERC20;

    event Swapped(
        address sender,
        address srcToken,
        address dstToken,
        address dstReceiver,
        uint256 spentAmount,
        uint256 returnAmount
    );
    event ClientData(bytes clientData);

    function swap(SwapExecutionParams calldata execution)
        external
        payable
        returns (uint256 returnAmount, uint256 gasUsed)
    {
        return _swap(execution.callTarget, execution.desc, execution.targetData, execution.clientData);
    }

    function swapSimpleMode(
        address caller,
        SwapDescriptionV2 calldata desc,
        bytes calldata executorData,
        bytes calldata clientData
    ) external returns (uint256 returnAmount, uint256 gasUsed) {
        return _swap(caller, desc, executorData, clientData);
    }

    function _swap(
        address executor,
        SwapDescriptionV2 calldata desc,
        bytes calldata executorData,
        bytes calldata clientData
    ) private returns (uint256 returnAmount, uint256 gasUsed) {
        uint256 gasBefore = gasleft();
        address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        uint256 before = IERC20(desc.dstToken).balanceOf(receiver);
        _collect(desc.srcToken, desc.srcReceivers, desc.srcAmounts);
        _collect(desc.srcToken, desc.feeReceivers, desc.feeAmounts);
        Bubble.call(executor, abi.encodeCall(SwapExecutor.callBytes, (executorData)));
        returnAmount = IERC20(desc.dstToken).balanceOf(receiver) - before;
        require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, desc.amount, returnAmount);
        emit ClientData(clientData);
        gasUsed = gasBefore - gasleft();
    }

    function _collect(address token, address[] calldata receivers, uint256[] calldata amounts) private {
        require(receivers.length == amounts.length, "Invalid lengths for receiving src tokens");
        for (uint256 i; i < receivers.length; i++) {
            IERC20(token).safeTransferFrom(msg.sender, receivers[i], amounts[i]);
        }
    }
}
