// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {PoolFactory} from "../platform/PoolFactory.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {UniswapV3PositionGuard} from "./UniswapV3PositionGuard.sol";

/// Lets a vault provide liquidity through Pancake's position manager, and send its positions to a guarded MasterChefV3.
contract PancakeCLPositionGuard is UniswapV3PositionGuard {
    uint16 private constant STAKE = 98;
    bytes4 private constant SAFE_TRANSFER = bytes4(keccak256("safeTransferFrom(address,address,uint256)"));

    function _other(address logic, address pool, address, bytes4 method, bytes memory arguments)
        internal
        view
        override
        returns (uint16)
    {
        if (method != SAFE_TRANSFER) return 0;
        (address from, address to, uint256 tokenId) = abi.decode(arguments, (address, address, uint256));
        require(from == pool, "from is not pool");
        _demandTracked(pool, tokenId);
        address guard = PoolFactory(PoolManagerLogic(logic).factory()).getContractGuard(to);
        require(guard != address(0), "to is not masterchef");
        return STAKE;
    }

    function _words() internal pure override returns (string memory, string memory) {
        return ("pancake cl asset not enabled", "max position reached");
    }
}
