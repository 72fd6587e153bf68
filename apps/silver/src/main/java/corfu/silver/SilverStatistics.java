package corfu.silver;

/**
 * The work of a client since its start.
 *
 * @param nodeHits the states of nodes that memory knew for certain
 * @param nodeMisses the questions to the log about states of nodes; one may be about several nodes
 * @param nodesInMemory the nodes whose newest states are in memory now
 * @param dataHits the uses of large files whose maps of extents were in memory
 * @param dataMisses the uses of large files whose maps were not in memory
 * @param entriesAppended the entries that the client has appended to file systems
 */
public record SilverStatistics(
    long nodeHits,
    long nodeMisses,
    int nodesInMemory,
    long dataHits,
    long dataMisses,
    long entriesAppended) {}
