package corfu.objects.collection;

import corfu.objects.type.KeyHash;

/**
 * Hashes by which collections arrange what they hold: the same in every process for simple values,
 * so that all replicas iterate in the same order. For other classes it is as stable as their {@code
 * hashCode}.
 */
final class StableHash {

  private StableHash() {}

  static int of(Object key) {
    return switch (key) {
      case String text -> spread(text.hashCode());
      case Integer number -> spread(number);
      case Long number -> spread(number.hashCode());
      case Enum<?> constant -> spread(constant.name().hashCode());
      case Record record -> (int) KeyHash.of(record);
      default -> spread(key.hashCode());
    };
  }

  private static int spread(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x7feb352d;
    return mixed ^ mixed >>> 15;
  }
}
