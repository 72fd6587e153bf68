package corfu.cli.object;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.shell.Kinds;
import corfu.objects.CheckpointPolicy;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.runtime.Corfu;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that adds types of objects. */
final class KindOptions {

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "Jars and directories of your own classes, in the form of java -cp.")
  private Optional<String> classPath = Optional.empty();

  Kinds kinds() {
    ClassLoader own = KindOptions.class.getClassLoader();
    return new Kinds(classPath.isEmpty() ? own : new URLClassLoader(urls(classPath.get()), own));
  }

  /** Returns objects that write no checkpoints: a reader leaves that to the application. */
  static ReplicatedObjects objects(Corfu corfu) {
    return ReplicatedObjects.over(
        corfu, ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL));
  }

  private static URL[] urls(String path) {
    List<URL> urls = new ArrayList<>();
    for (String each : path.split(File.pathSeparator, -1)) {
      File file = new File(each);
      if (!file.exists()) {
        throw new CommandException(ExitCode.USAGE, "there is no " + each + " for --class-path");
      }
      try {
        urls.add(file.toURI().toURL());
      } catch (MalformedURLException e) {
        throw new CommandException(ExitCode.USAGE, each + " can't be read: " + e.getMessage());
      }
    }
    return urls.toArray(URL[]::new);
  }
}
