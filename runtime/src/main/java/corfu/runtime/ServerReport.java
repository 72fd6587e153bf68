package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import java.util.Optional;

/**
 * The state of one server of a cluster.
 *
 * @param status the server's own status; empty if it did not answer
 * @param usage the space in use on its log unit; empty if the server did not answer, or has no log
 *     unit that can tell
 * @param scrubbed the findings of its log unit's scrubber; empty in the same cases
 * @param problem the reason why the server did not answer; empty if it did
 */
public record ServerReport(
    Endpoint endpoint,
    Optional<NodeReply.Status> status,
    Optional<LogUnitReply.Usage> usage,
    Optional<LogUnitReply.Scrubbed> scrubbed,
    String problem) {}
