// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IPositionManager, IUniswapV3Factory, IUniswapV3Pool} from "../venue/IUniswapV3.sol";
import {FairPrice} from "./FairPrice.sol";
import {ITxTrackingGuard} from "./ITxTrackingGuard.sol";

/// Lets a vault provide liquidity through Uniswap's position manager, and remembers which positions it made that way.
contract UniswapV3PositionGuard is ITxTrackingGuard {
    uint16 private constant MINT = 20;
    uint16 private constant INCREASE = 21;
    uint16 private constant DECREASE = 22;
    uint16 private constant BURN = 23;
    uint16 private constant COLLECT = 24;
    uint16 private constant MULTICALL = 25;

    /// What a mint says of the pool and of whom the position is for.
    struct Mint {
        address token0;
        address token1;
        /// The fee, or what distinguishes pools of a pair instead of it.
        uint24 key;
        address recipient;
    }

    bool public constant isTxTrackingGuard = true;
    uint256 public constant positionsLimit = 3;

    mapping(address pool => uint256[] tokenIds) private _tracked;

    /// Ids of the positions the vault made through this guard and has not burnt.
    function getOwnedTokenIds(address pool) external view returns (uint256[] memory) {
        return _tracked[pool];
    }

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        if (bytes4(data) != IPositionManager.multicall.selector) return (_single(poolManagerLogic, to, data), false);
        bytes[] memory calls = abi.decode(data[4:], (bytes[]));
        uint256 changes;
        for (uint256 i; i < calls.length; i++) {
            uint16 inner = _single(poolManagerLogic, to, calls[i]);
            require(inner > 0, "invalid transaction");
            if (inner == MINT || inner == BURN) changes++;
        }
        require(changes <= 1, "invalid multicall");
        return (MULTICALL, false);
    }

    function afterTxGuard(address poolManagerLogic, address to, bytes calldata data) external {
        address pool = PoolManagerLogic(poolManagerLogic).poolLogic();
        require(msg.sender == pool, "only pool");
        if (bytes4(data) != IPositionManager.multicall.selector) return _track(pool, to, data);
        bytes[] memory calls = abi.decode(data[4:], (bytes[]));
        for (uint256 i; i < calls.length; i++) {
            _track(pool, to, calls[i]);
        }
    }

    function _single(address poolManagerLogic, address to, bytes memory data) private view returns (uint16) {
        bytes4 method = bytes4(data);
        bytes memory arguments = _arguments(data);
        address pool = PoolManagerLogic(poolManagerLogic).poolLogic();
        if (method == _mintSelector()) {
            Mint memory p = _decodeMint(arguments);
            require(p.recipient == pool, "recipient is not pool");
            _demandAssets(poolManagerLogic, to, p.token0, p.token1);
            _demandFairPrice(poolManagerLogic, to, p.token0, p.token1, p.key);
            return MINT;
        }
        if (method == IPositionManager.increaseLiquidity.selector) {
            uint256 tokenId = abi.decode(arguments, (IPositionManager.IncreaseLiquidityParams)).tokenId;
            _demandTracked(pool, tokenId);
            (address token0, address token1, uint24 fee) = _pairOf(to, tokenId);
            _demandAssets(poolManagerLogic, to, token0, token1);
            _demandFairPrice(poolManagerLogic, to, token0, token1, fee);
            return INCREASE;
        }
        if (method == IPositionManager.decreaseLiquidity.selector) {
            uint256 tokenId = abi.decode(arguments, (IPositionManager.DecreaseLiquidityParams)).tokenId;
            _demandTracked(pool, tokenId);
            (address token0, address token1, uint24 fee) = _pairOf(to, tokenId);
            _demandFairPrice(poolManagerLogic, to, token0, token1, fee);
            return DECREASE;
        }
        if (method == IPositionManager.burn.selector) {
            _demandTracked(pool, abi.decode(arguments, (uint256)));
            return BURN;
        }
        if (method == IPositionManager.collect.selector) {
            IPositionManager.CollectParams memory p = abi.decode(arguments, (IPositionManager.CollectParams));
            require(p.recipient == pool, "recipient is not pool");
            _demandTracked(pool, p.tokenId);
            (address token0, address token1,) = _pairOf(to, p.tokenId);
            _demandAssets(poolManagerLogic, to, token0, token1);
            return COLLECT;
        }
        return _other(poolManagerLogic, pool, to, method, arguments);
    }

    function _mintSelector() internal pure virtual returns (bytes4) {
        return IPositionManager.mint.selector;
    }

    function _decodeMint(bytes memory arguments) internal pure virtual returns (Mint memory) {
        IPositionManager.MintParams memory p = abi.decode(arguments, (IPositionManager.MintParams));
        return Mint(p.token0, p.token1, p.fee, p.recipient);
    }

    function _poolOf(address to, address token0, address token1, uint24 key)
        internal
        view
        virtual
        returns (IUniswapV3Pool)
    {
        return IUniswapV3Pool(IUniswapV3Factory(IPositionManager(to).factory()).getPool(token0, token1, key));
    }

    /// Calls that only some position managers have.
    function _other(address, address, address, bytes4, bytes memory) internal view virtual returns (uint16) {
        return 0;
    }

    /// What is said when the position manager is not enabled, and when there are too many positions.
    function _words() internal pure virtual returns (string memory disabled, string memory full) {
        return ("uniswap asset not enabled", "max position reached");
    }

    function _track(address pool, address to, bytes memory data) private {
        bytes4 method = bytes4(data);
        uint256[] storage tracked = _tracked[pool];
        if (method == _mintSelector()) {
            (, string memory full) = _words();
            require(tracked.length < positionsLimit, full);
            // The newest is its owner's last.
            uint256 last = IPositionManager(to).balanceOf(pool) - 1;
            tracked.push(IPositionManager(to).tokenOfOwnerByIndex(pool, last));
        }
        if (method == IPositionManager.burn.selector) {
            uint256 tokenId = abi.decode(_arguments(data), (uint256));
            for (uint256 i; i < tracked.length; i++) {
                if (tracked[i] != tokenId) continue;
                tracked[i] = tracked[tracked.length - 1];
                tracked.pop();
                return;
            }
        }
    }

    function _demandAssets(address poolManagerLogic, address to, address token0, address token1) private view {
        PoolManagerLogic logic = PoolManagerLogic(poolManagerLogic);
        require(logic.isSupportedAsset(token0), "unsupported asset: tokenA");
        require(logic.isSupportedAsset(token1), "unsupported asset: tokenB");
        (string memory disabled,) = _words();
        require(logic.isSupportedAsset(to), disabled);
    }

    function _demandFairPrice(address poolManagerLogic, address to, address token0, address token1, uint24 fee)
        private
        view
    {
        address platform = PoolManagerLogic(poolManagerLogic).factory();
        FairPrice.demand(platform, _poolOf(to, token0, token1, fee));
    }

    function _demandTracked(address pool, uint256 tokenId) internal view {
        uint256[] memory tracked = _tracked[pool];
        for (uint256 i; i < tracked.length; i++) {
            if (tracked[i] == tokenId) return;
        }
        revert("position is not in track");
    }

    function _pairOf(address to, uint256 tokenId) private view returns (address token0, address token1, uint24 fee) {
        IPositionManager.Position memory position = IPositionManager(to).positions(tokenId);
        return (position.token0, position.token1, position.fee);
    }

    function _arguments(bytes memory data) private pure returns (bytes memory arguments) {
        if (data.length < 4) return arguments;
        arguments = new bytes(data.length - 4);
        assembly ("memory-safe") {
            mcopy(add(arguments, 32), add(data, 36), mload(arguments))
        }
    }
}
