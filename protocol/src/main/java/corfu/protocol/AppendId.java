package corfu.protocol;

/**
 * The identity of one append. It lets a writer recognize its own entry after another client has
 * rolled that entry forward (docs/design.md, section 4).
 *
 * @param client a random number that the appending client drew at its start
 * @param sequence the client's count of appends
 */
public record AppendId(long client, long sequence) {

  @Override
  public String toString() {
    return Long.toHexString(client) + "#" + sequence;
  }
}
