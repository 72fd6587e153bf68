package corfu.sim.workload.object;

import corfu.sim.history.CollectionHistories;
import corfu.sim.history.ComposedHistories;
import corfu.sim.history.ObjectCalls;
import corfu.sim.workload.AppWork;
import java.util.Optional;

/**
 * The work of a run whose clients only use objects.
 *
 * @param habits their preferences
 * @param history their calls
 * @param collections their calls on collections, if they make no others
 * @param composed their calls on composed objects, if they make no others
 * @param app the application that they run, if any
 */
public record ObjectWork(
    ObjectWorkloadProfile habits,
    ObjectCalls history,
    Optional<CollectionHistories> collections,
    Optional<ComposedHistories> composed,
    Optional<AppWork> app) {}
