package corfu.sim;

/**
 * What clients do with objects, in a run in which they do nothing else.
 *
 * @param habits what they like to do
 * @param history what they did
 */
record ObjectWork(ObjectHabits habits, ObjectHistory history) {}
