// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IGuard} from "../guard/IGuard.sol";
import {ITxTrackingGuard} from "../guard/ITxTrackingGuard.sol";
import {PoolFactory} from "./PoolFactory.sol";
import {PoolManagerLogic} from "./PoolManagerLogic.sol";
import {PoolState} from "./PoolState.sol";

/// How a manager or trader makes the vault call something.
abstract contract PoolExecution is PoolState {
    struct TxToExecute {
        address to;
        bytes data;
    }

    event TransactionExecuted(address pool, address manager, uint16 transactionType, uint256 time);

    function execTransaction(address to, bytes calldata data) external nonReentrant returns (bool success) {
        return _execTransaction(to, data);
    }

    /// All or nothing.
    function execTransactions(TxToExecute[] calldata txs) external nonReentrant {
        for (uint256 i; i < txs.length; i++) {
            _execTransaction(txs[i].to, txs[i].data);
        }
    }

    function _execTransaction(address to, bytes calldata data) private returns (bool) {
        require(!PoolFactory(factory).isPaused(), "dh1");
        require(!PoolFactory(factory).tradingPausedPools(address(this)), "dh20");
        _lockOperation(Operation.Execution);
        require(to != address(0), "dh18");

        (address guard, uint16 txType, bool isPublic) = _askGuards(to, data);
        require(txType > 0, "dh23");
        PoolManagerLogic managerLogic = _managerLogic();
        require(isPublic || msg.sender == managerLogic.manager() || msg.sender == managerLogic.trader(), "dh24");

        _call(to, data);
        if (_isTxTracking(guard)) ITxTrackingGuard(guard).afterTxGuard(poolManagerLogic, to, data);

        emit TransactionExecuted(address(this), managerLogic.manager(), txType, block.timestamp);
        PoolFactory(factory).emitPoolEvent();
        return true;
    }

    /// The contract guard first; when it has no opinion the guard of the asset, else the plain ERC-20 one.
    function _askGuards(address to, bytes calldata data)
        private
        returns (address guard, uint16 txType, bool isPublic)
    {
        guard = PoolFactory(factory).getContractGuard(to);
        if (guard != address(0)) (txType, isPublic) = IGuard(guard).txGuard(poolManagerLogic, to, data);
        if (txType > 0) return (guard, txType, isPublic);

        guard = PoolFactory(factory).getAssetGuard(to);
        if (guard == address(0)) guard = PoolFactory(factory).assetGuards(0);
        else require(_managerLogic().isSupportedAsset(to), "dh22");
        (txType, isPublic) = IGuard(guard).txGuard(poolManagerLogic, to, data);
    }

    /// Reverts with exactly what the target reverted with.
    function _call(address to, bytes calldata data) private {
        (bool success, bytes memory result) = to.call(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(result, 32), mload(result))
        }
    }

    function _isTxTracking(address guard) private view returns (bool) {
        (bool answered, bytes memory result) =
            guard.staticcall(abi.encodeCall(ITxTrackingGuard.isTxTrackingGuard, ()));
        return answered && result.length == 32 && abi.decode(result, (bool));
    }
}
