// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {ICLFactory, ICLPool, ICLPositionManager} from "../slipstream/ISlipstream.sol";
import {IPositionManager, IUniswapV3Pool} from "../venue/IUniswapV3.sol";
import {UniswapV3PositionGuard} from "./UniswapV3PositionGuard.sol";

/// Lets a vault provide liquidity through Velodrome's position manager, and approve its positions to guarded gauges.
contract VelodromeCLPositionGuard is UniswapV3PositionGuard {
    uint16 private constant APPROVE = 1;

    function _mintSelector() internal pure override returns (bytes4) {
        return ICLPositionManager.mint.selector;
    }

    function _decodeMint(bytes memory arguments) internal pure override returns (Mint memory) {
        ICLPositionManager.MintParams memory p = abi.decode(arguments, (ICLPositionManager.MintParams));
        require(p.sqrtPriceX96 == 0, "sqrtPriceX96 must be 0");
        return Mint(p.token0, p.token1, uint24(p.tickSpacing), p.recipient);
    }

    function _poolOf(address to, address token0, address token1, uint24 key)
        internal
        view
        override
        returns (IUniswapV3Pool)
    {
        address pool = ICLFactory(IPositionManager(to).factory()).getPool(token0, token1, int24(key));
        return IUniswapV3Pool(ICLPool(pool).core());
    }

    function _other(address logic, address pool, address, bytes4 method, bytes memory arguments)
        internal
        view
        override
        returns (uint16)
    {
        if (method != IERC721.approve.selector) return 0;
        (address gauge, uint256 tokenId) = abi.decode(arguments, (address, uint256));
        _demandTracked(pool, tokenId);
        address guard = PoolFactory(PoolManagerLogic(logic).factory()).getContractGuard(gauge);
        require(guard != address(0), "unsupported spender approval");
        return APPROVE;
    }

    function _words() internal pure override returns (string memory, string memory) {
        return ("velodrome cl asset not enabled", "max position reached");
    }
}
