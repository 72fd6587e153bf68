package corfu.silver.quota;

import corfu.silver.NodeId;

/**
 * The quota of a directory.
 *
 * @param directory the directory with the limits
 * @param limits the limits
 * @param used the space in use below the directory
 */
public record QuotaStatus(NodeId directory, QuotaLimits limits, Usage used) {}
