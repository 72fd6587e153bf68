package corfu.sim.workload.object;

import corfu.sim.history.CollectionHistories;
import corfu.sim.history.ComposedHistories;
import corfu.sim.history.ObjectHistory;
import corfu.sim.workload.AppWork;
import java.util.Optional;

/**
 * What clients do with objects, in a run in which they do nothing else.
 *
 * @param habits what they like to do
 * @param history what they did
 * @param collections what they did to collections, if they do nothing else
 * @param composed what they did to composed objects, if they do nothing else
 * @param app an application, if they run one
 */
public record ObjectWork(
    ObjectHabits habits,
    ObjectHistory history,
    Optional<CollectionHistories> collections,
    Optional<ComposedHistories> composed,
    Optional<AppWork> app) {}
