// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IEasySwapperV2} from "./IEasySwapperV2.sol";
import {PoolToken} from "./PoolToken.sol";
import {Swapper} from "./Swapper.sol";

/// Holds the assets of one depositor between the two steps of a redemption.
contract WithdrawalVault {
    using SafeERC20 for IERC20;

    address public immutable easySwapper;
    address public immutable depositor;
    address[] private _tracked;

    modifier onlyEasySwapper() {
        require(msg.sender == easySwapper, "only easy swapper");
        _;
    }

    constructor(address depositor_) {
        easySwapper = msg.sender;
        depositor = depositor_;
    }

    function unroll(PoolToken poolToken, uint256 amount) external onlyEasySwapper {
        (address[] memory tokens, uint256[] memory amounts) = poolToken.withdrawTo(address(this), amount);
        for (uint256 i; i < tokens.length; i++) {
            if (amounts[i] > 0) _track(tokens[i]);
        }
    }

    function trackedAssets() public view returns (IEasySwapperV2.TrackedAsset[] memory assets) {
        assets = new IEasySwapperV2.TrackedAsset[](_tracked.length);
        for (uint256 i; i < _tracked.length; i++) {
            assets[i] = IEasySwapperV2.TrackedAsset(_tracked[i], IERC20(_tracked[i]).balanceOf(address(this)));
        }
    }

    /// Gives the depositor everything as it is.
    function claim() external onlyEasySwapper {
        for (uint256 i; i < _tracked.length; i++) {
            _give(_tracked[i]);
        }
        delete _tracked;
    }

    /// Swaps everything into one asset, and gives the depositor that.
    function claimAs(Swapper swapper, IEasySwapperV2.MultiInSingleOutData calldata swapData, uint256 expected)
        external
        onlyEasySwapper
        returns (uint256 paid)
    {
        address dest = swapData.destData.destToken;
        for (uint256 i; i < swapData.srcData.length; i++) {
            IEasySwapperV2.SrcTokenSwapDetails calldata source = swapData.srcData[i];
            require(source.amount == IERC20(source.token).balanceOf(address(this)), "invalid amount");
            IERC20(source.token).forceApprove(address(swapper), source.amount);
            swapper.swap(source, dest);
        }
        for (uint256 i; i < _tracked.length; i++) {
            require(
                _tracked[i] == dest || IERC20(_tracked[i]).balanceOf(address(this)) == 0, "asset is not swapped"
            );
        }
        delete _tracked;
        paid = IERC20(dest).balanceOf(address(this));
        require(paid >= expected && paid >= swapData.destData.minDestAmount, "high slippage");
        _give(dest);
    }

    function _give(address token) private {
        uint256 balance = IERC20(token).balanceOf(address(this));
        if (balance > 0) IERC20(token).safeTransfer(depositor, balance);
    }

    function _track(address token) private {
        for (uint256 i; i < _tracked.length; i++) {
            if (_tracked[i] == token) return;
        }
        _tracked.push(token);
    }
}
