package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import java.util.Optional;

/**
 * How one server of a cluster is.
 *
 * @param status what it says of itself; empty if it did not answer
 * @param usage what its log unit holds; empty if it did not answer, or has none that can
 * @param scrubbed what its log unit's scrubber has found; empty likewise
 * @param problem why it did not answer; empty if it did
 */
public record ServerReport(
    Endpoint endpoint,
    Optional<NodeReply.Status> status,
    Optional<LogUnitReply.Usage> usage,
    Optional<LogUnitReply.Scrubbed> scrubbed,
    String problem) {}
