// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Enumerable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {IPositionManager, IUniswapV3CorePool, IUniswapV3MintCallback} from "../venue/IUniswapV3.sol";
import {TickMath} from "../venue/TickMath.sol";
import {CLFactory} from "./CLFactory.sol";
import {CLPool} from "./CLPool.sol";
import {ICLPositionManager} from "./ISlipstream.sol";

/// Velodrome's position manager: as Uniswap's, with a tick spacing in place of the fee.
contract CLPositionManager is ICLPositionManager, IUniswapV3MintCallback, ERC721Enumerable, Multicall {
    using SafeERC20 for IERC20;

    struct Position {
        address token0;
        address token1;
        int24 tickSpacing;
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
        uint256 feeGrowthInside0LastX128;
        uint256 feeGrowthInside1LastX128;
        uint128 tokensOwed0;
        uint128 tokensOwed1;
    }

    CLFactory private immutable _factory;
    uint256 private _nextId = 1;
    mapping(uint256 tokenId => Position) private _positions;
    mapping(uint256 tokenId => address) private _pools;

    event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1);
    event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1);
    event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1);

    modifier before(uint256 deadline) {
        require(block.timestamp <= deadline, "Transaction too old");
        _;
    }

    modifier authorized(uint256 tokenId) {
        require(_isAuthorized(_ownerOf(tokenId), msg.sender, tokenId), "Not approved");
        _;
    }

    constructor(address factory_) ERC721("Slipstream Position NFT", "CL-POS") {
        _factory = CLFactory(factory_);
    }

    function factory() external view returns (address) {
        return address(_factory);
    }

    function positions(uint256 tokenId)
        external
        view
        returns (
            uint96 nonce,
            address operator,
            address token0,
            address token1,
            int24 tickSpacing,
            int24 tickLower,
            int24 tickUpper,
            uint128 liquidity,
            uint256 feeGrowthInside0LastX128,
            uint256 feeGrowthInside1LastX128,
            uint128 tokensOwed0,
            uint128 tokensOwed1
        )
    {
        require(_pools[tokenId] != address(0), "ID");
        Position storage p = _positions[tokenId];
        return (
            0,
            _getApproved(tokenId),
            p.token0,
            p.token1,
            p.tickSpacing,
            p.tickLower,
            p.tickUpper,
            p.liquidity,
            p.feeGrowthInside0LastX128,
            p.feeGrowthInside1LastX128,
            p.tokensOwed0,
            p.tokensOwed1
        );
    }

    function mint(MintParams calldata p)
        external
        payable
        before(p.deadline)
        returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)
    {
        if (p.sqrtPriceX96 != 0) _factory.createPool(p.token0, p.token1, p.tickSpacing, p.sqrtPriceX96);
        tokenId = _nextId++;
        _pools[tokenId] = _factory.getPool(p.token0, p.token1, p.tickSpacing);
        require(_pools[tokenId] != address(0), "no pool");
        Position storage position = _positions[tokenId];
        (position.token0, position.token1) = (p.token0, p.token1);
        (position.tickSpacing, position.tickLower, position.tickUpper) = (p.tickSpacing, p.tickLower, p.tickUpper);
        (liquidity, amount0, amount1) =
            _add(tokenId, p.amount0Desired, p.amount1Desired, p.amount0Min, p.amount1Min);
        _safeMint(p.recipient, tokenId);
    }

    function increaseLiquidity(IPositionManager.IncreaseLiquidityParams calldata p)
        external
        payable
        before(p.deadline)
        returns (uint128, uint256, uint256)
    {
        return _add(p.tokenId, p.amount0Desired, p.amount1Desired, p.amount0Min, p.amount1Min);
    }

    function decreaseLiquidity(IPositionManager.DecreaseLiquidityParams calldata p)
        external
        payable
        before(p.deadline)
        authorized(p.tokenId)
        returns (uint256 amount0, uint256 amount1)
    {
        Position storage position = _positions[p.tokenId];
        require(p.liquidity > 0 && p.liquidity <= position.liquidity, "liquidity");
        (amount0, amount1) =
            CLPool(_pools[p.tokenId]).burn(position.tickLower, position.tickUpper, p.liquidity);
        require(amount0 >= p.amount0Min && amount1 >= p.amount1Min, "Price slippage check");
        _bookFees(p.tokenId);
        position.tokensOwed0 += uint128(amount0);
        position.tokensOwed1 += uint128(amount1);
        position.liquidity -= p.liquidity;
        emit DecreaseLiquidity(p.tokenId, p.liquidity, amount0, amount1);
    }

    function collect(IPositionManager.CollectParams calldata p)
        external
        payable
        authorized(p.tokenId)
        returns (uint256 amount0, uint256 amount1)
    {
        require(p.amount0Max > 0 || p.amount1Max > 0, "max");
        Position storage position = _positions[p.tokenId];
        CLPool pool = CLPool(_pools[p.tokenId]);
        if (position.liquidity > 0) {
            pool.burn(position.tickLower, position.tickUpper, 0);
            _bookFees(p.tokenId);
        }
        uint128 take0 = p.amount0Max < position.tokensOwed0 ? p.amount0Max : position.tokensOwed0;
        uint128 take1 = p.amount1Max < position.tokensOwed1 ? p.amount1Max : position.tokensOwed1;
        address recipient = p.recipient == address(0) ? address(this) : p.recipient;
        (amount0, amount1) = pool.collect(recipient, position.tickLower, position.tickUpper, take0, take1);
        position.tokensOwed0 -= take0;
        position.tokensOwed1 -= take1;
        emit Collect(p.tokenId, recipient, amount0, amount1);
    }

    function burn(uint256 tokenId) external payable authorized(tokenId) {
        Position storage p = _positions[tokenId];
        require(p.liquidity == 0 && p.tokensOwed0 == 0 && p.tokensOwed1 == 0, "NC");
        delete _positions[tokenId];
        delete _pools[tokenId];
        _burn(tokenId);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        (address pool, address payer) = abi.decode(data, (address, address));
        require(msg.sender == pool, "NP");
        address core = CLPool(pool).core();
        if (amount0 > 0) IERC20(CLPool(pool).token0()).safeTransferFrom(payer, core, amount0);
        if (amount1 > 0) IERC20(CLPool(pool).token1()).safeTransferFrom(payer, core, amount1);
    }

    function _add(uint256 tokenId, uint256 desired0, uint256 desired1, uint256 least0, uint256 least1)
        private
        returns (uint128 liquidity, uint256 amount0, uint256 amount1)
    {
        Position storage position = _positions[tokenId];
        CLPool pool = CLPool(_pools[tokenId]);
        liquidity = _liquidityOf(pool, position.tickLower, position.tickUpper, desired0, desired1);
        (amount0, amount1) =
            pool.mint(position.tickLower, position.tickUpper, liquidity, abi.encode(pool, msg.sender));
        require(amount0 >= least0 && amount1 >= least1, "Price slippage check");
        _bookFees(tokenId);
        position.liquidity += liquidity;
        emit IncreaseLiquidity(tokenId, liquidity, amount0, amount1);
    }

    function _liquidityOf(CLPool pool, int24 lower, int24 upper, uint256 desired0, uint256 desired1)
        private
        view
        returns (uint128)
    {
        (uint160 price,,,,,) = pool.slot0();
        return TickMath.liquidityOf(
            price, TickMath.sqrtPriceAt(lower), TickMath.sqrtPriceAt(upper), desired0, desired1
        );
    }

    /// What the position's liquidity has earned since the last time.
    function _bookFees(uint256 tokenId) private {
        Position storage p = _positions[tokenId];
        (uint256 inside0, uint256 inside1) = CLPool(_pools[tokenId]).positions(p.tickLower, p.tickUpper);
        // Growth counters wrap around by design: only their differences mean something.
        unchecked {
            p.tokensOwed0 += uint128(Math.mulDiv(inside0 - p.feeGrowthInside0LastX128, p.liquidity, 1 << 128));
            p.tokensOwed1 += uint128(Math.mulDiv(inside1 - p.feeGrowthInside1LastX128, p.liquidity, 1 << 128));
        }
        (p.feeGrowthInside0LastX128, p.feeGrowthInside1LastX128) = (inside0, inside1);
    }
}
