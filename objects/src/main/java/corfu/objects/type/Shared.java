package corfu.objects.type;

/**
 * What an accessor returns of a persistent structure, and nobody can change: callers are given it
 * as it is, while other results are copied unless they are simple values. What it holds is shared
 * with the object: a value that could be changed must not be.
 */
public interface Shared {}
