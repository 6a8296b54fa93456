// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {CoreMirror} from "../hyperliquid/CoreMirror.sol";
import {CoreWriter} from "../hyperliquid/CoreWriter.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IGuard} from "./IGuard.sol";

/// Lets whitelisted vaults trade approved perpetuals near their price, and move their own money between the exchange's parts.
contract CoreWriterGuard is IGuard, Ownable {
    uint16 private constant LIMIT_ORDER = 125;
    uint16 private constant CANCEL_BY_OID = 126;
    uint16 private constant CANCEL_BY_CLOID = 127;
    uint16 private constant SPOT_SEND = 128;
    uint16 private constant CLASS_TRANSFER = 129;
    uint16 private constant SEND_ASSET = 130;

    uint32 private constant SPOT = type(uint32).max;
    uint256 private constant HEADER = 4;
    /// Parts of 10,000 an order may be worse than the price.
    uint256 public constant MAXIMUM_SLIPPAGE = 300;

    CoreMirror public immutable mirror;

    mapping(address pool => bool) public isWhitelisted;
    mapping(uint32 asset => bool) public isApproved;

    constructor(address mirror_) Ownable(msg.sender) {
        mirror = CoreMirror(mirror_);
    }

    function setWhitelisted(address pool, bool whitelisted) external onlyOwner {
        isWhitelisted[pool] = whitelisted;
    }

    function setApproved(uint32 asset, bool approved) external onlyOwner {
        isApproved[asset] = approved;
    }

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        if (bytes4(data) != CoreWriter.sendRawAction.selector) return (0, false);
        address pool = PoolManagerLogic(poolManagerLogic).poolLogic();
        require(isWhitelisted[pool], "pool not whitelisted");
        require(PoolManagerLogic(poolManagerLogic).isSupportedAsset(to), "CoreWriter not supported asset");
        bytes memory action = abi.decode(data[4:], (bytes));
        require(action.length > HEADER && action[0] == 0x01, "unsupported action version");
        uint256 id = uint256(uint24(bytes3(_slice(action, 1, 3))));
        bytes memory arguments = _slice(action, HEADER, action.length - HEADER);
        return (_demand(id, arguments, pool), false);
    }

    function _demand(uint256 id, bytes memory arguments, address pool) private view returns (uint16) {
        if (id == 1) {
            _demandFairOrder(arguments);
            return LIMIT_ORDER;
        }
        if (id == 10) return CANCEL_BY_OID;
        if (id == 11) return CANCEL_BY_CLOID;
        if (id == 6) {
            (address destination, uint64 token,) = abi.decode(arguments, (address, uint64, uint64));
            require(destination == mirror.SYSTEM(), "recipient is not pool");
            require(token == 0, "unsupported token");
            return SPOT_SEND;
        }
        if (id == 7) return CLASS_TRANSFER;
        if (id == 13) {
            (address destination, address subAccount, uint32 source, uint32 target, uint64 token,) =
                abi.decode(arguments, (address, address, uint32, uint32, uint64, uint64));
            require(destination == pool && subAccount == address(0), "recipient is not pool");
            require((source == 0 || source == SPOT) && (target == 0 || target == SPOT), "unsupported dex");
            require(token == 0, "unsupported token");
            return SEND_ASSET;
        }
        revert("unsupported action");
    }

    function _demandFairOrder(bytes memory arguments) private view {
        (uint32 asset, bool isBuy, uint64 limit,,, uint8 timeInForce,) =
            abi.decode(arguments, (uint32, bool, uint64, uint64, bool, uint8, uint128));
        require(isApproved[asset], "unsupported perp asset");
        require(timeInForce >= 1 && timeInForce <= 3, "unsupported time in force");
        uint256 px = mirror.prices(asset);
        require(px > 0, "Price not available");
        uint256 offered = uint256(limit) * 10_000;
        bool fair = isBuy ? offered <= px * (10_000 + MAXIMUM_SLIPPAGE) : offered >= px * (10_000 - MAXIMUM_SLIPPAGE);
        require(fair, "order slippage exceeded");
    }

    function _slice(bytes memory from, uint256 start, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        assembly ("memory-safe") {
            mcopy(add(part, 32), add(add(from, 32), start), length)
        }
    }
}
