package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file system or a path in it, perhaps at a version: {@code NAME[/path][@V]}.
 *
 * @param name the file system
 * @param path the names from the root down; empty for the root
 * @param version the version, or empty for the newest one
 */
record Target(String name, List<String> path, Optional<Address> version) {

  private static final Pattern WITH_VERSION = Pattern.compile("(.*)@([0-9]{1,18})");

  Target {
    path = List.copyOf(path);
  }

  /**
   * Parses an argument. Only an {@code @} before a last number begins a version.
   *
   * @throws CommandException if there is no name
   */
  static Target parse(String text) {
    Matcher matcher = WITH_VERSION.matcher(text);
    boolean isPast = matcher.matches();
    String place = isPast ? matcher.group(1) : text;
    List<String> names =
        Arrays.stream(place.split("/", -1)).filter(part -> !part.isEmpty()).toList();
    if (names.isEmpty() || place.startsWith("/") || names.contains("..") || names.contains(".")) {
      throw new CommandException(
          ExitCode.USAGE, "'%s' does not name a file system as NAME[/path][@V]".formatted(text));
    }
    return new Target(
        names.getFirst(),
        names.subList(1, names.size()),
        isPast ? Optional.of(new Address(Long.parseLong(matcher.group(2)))) : Optional.empty());
  }

  /** Parses an argument that may have no version. */
  static Target parseNewest(String text) {
    Target target = parse(text);
    if (target.version().isPresent()) {
      throw new CommandException(
          ExitCode.USAGE,
          "'%s' is a version of the past, which is read-only; leave out the @".formatted(text));
    }
    return target;
  }

  /** Parses an argument that may have no path. */
  static Target parseWhole(String text) {
    Target target = parse(text);
    if (!target.isWhole()) {
      throw new CommandException(
          ExitCode.USAGE, "'%s' is a path; give the name of a file system".formatted(text));
    }
    return target;
  }

  /** Returns whether this is a whole file system. */
  boolean isWhole() {
    return path.isEmpty();
  }

  /** Returns the directory of the path. */
  Target parent() {
    return new Target(name, path.subList(0, path.size() - 1), version);
  }

  /** Returns the last name of the path. */
  FileName lastName() {
    return FileName.of(path.getLast());
  }

  /** Returns the name and the path, without the version. */
  String place() {
    return isWhole() ? name : name + "/" + String.join("/", path);
  }

  @Override
  public String toString() {
    return place() + version.map(at -> "@" + at.value()).orElse("");
  }
}
