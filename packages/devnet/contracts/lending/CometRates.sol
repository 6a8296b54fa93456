// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Interest of a Comet: indices that grow with time, at rates that depend on how much of the supply is borrowed.
abstract contract CometRates {
    uint64 internal constant FACTOR = 1e18;
    uint64 internal constant INDEX = 1e15;
    uint256 private constant YEAR = 365 days;

    /// Share of the supply lent out above which rates rise steeply.
    uint64 public constant supplyKink = 0.9e18;
    uint64 public constant borrowKink = 0.9e18;
    uint64 public constant supplyPerSecondInterestRateBase = 0;
    uint64 public constant supplyPerSecondInterestRateSlopeLow = uint64(0.04e18 / YEAR);
    uint64 public constant supplyPerSecondInterestRateSlopeHigh = uint64(0.4e18 / YEAR);
    uint64 public constant borrowPerSecondInterestRateBase = uint64(0.015e18 / YEAR);
    uint64 public constant borrowPerSecondInterestRateSlopeLow = uint64(0.05e18 / YEAR);
    uint64 public constant borrowPerSecondInterestRateSlopeHigh = uint64(0.5e18 / YEAR);

    uint256 internal _supplyIndex = INDEX;
    uint256 internal _borrowIndex = INDEX;
    uint256 internal _accruedAt = block.timestamp;
    /// In principal: what they are worth is this times the index.
    uint256 internal _supplied;
    uint256 internal _borrowed;

    /// 1e18 being 100%; above that when interest made debts outgrow the supply.
    function getUtilization() public view returns (uint256) {
        (uint256 supplyIndex, uint256 borrowIndex) = _indices();
        uint256 supplied = _supplied * supplyIndex / INDEX;
        return supplied == 0 ? 0 : _borrowed * borrowIndex / INDEX * FACTOR / supplied;
    }

    /// Interest a second, 1e18 being 100%.
    function getSupplyRate(uint256 utilization) public pure returns (uint64) {
        return _rate(
            utilization,
            supplyKink,
            supplyPerSecondInterestRateBase,
            supplyPerSecondInterestRateSlopeLow,
            supplyPerSecondInterestRateSlopeHigh
        );
    }

    /// Interest a second, 1e18 being 100%.
    function getBorrowRate(uint256 utilization) public pure returns (uint64) {
        return _rate(
            utilization,
            borrowKink,
            borrowPerSecondInterestRateBase,
            borrowPerSecondInterestRateSlopeLow,
            borrowPerSecondInterestRateSlopeHigh
        );
    }

    function accrueAccount(address) external {
        _accrue();
    }

    function _accrue() internal {
        (_supplyIndex, _borrowIndex) = _indices();
        _accruedAt = block.timestamp;
    }

    /// The indices now. Between two accruals the rate is the one at the first.
    function _indices() internal view returns (uint256, uint256) {
        uint256 elapsed = block.timestamp - _accruedAt;
        if (elapsed == 0) return (_supplyIndex, _borrowIndex);
        uint256 supplied = _supplied * _supplyIndex;
        uint256 utilization = supplied == 0 ? 0 : _borrowed * _borrowIndex * FACTOR / supplied;
        return (
            _supplyIndex + _supplyIndex * getSupplyRate(utilization) * elapsed / FACTOR,
            _borrowIndex + _borrowIndex * getBorrowRate(utilization) * elapsed / FACTOR
        );
    }

    function _rate(uint256 utilization, uint64 kink, uint64 base, uint64 low, uint64 high)
        private
        pure
        returns (uint64)
    {
        if (utilization <= kink) return uint64(base + low * utilization / FACTOR);
        return uint64(base + uint256(low) * kink / FACTOR + high * (utilization - kink) / FACTOR);
    }
}
