"""A Bazel rule that makes an asset pack.

    load("//tools:asset_pack.bzl", "asset_pack")

    asset_pack(
        name = "harbour",
        srcs = glob(["Levels/**", "Textures/**"]),
        manifest = "Packs/Harbour.json",
    )

The same inputs give the same bytes on any machine, so that a remote cache serves every pack that was
made once. The program is //tools:ba-package, a file that //tools exports, unless `tool` names another
target. Bazel presents inputs as links out of the workspace, hence --links follow.
"""

def _asset_pack_impl(ctx):
    pack = ctx.actions.declare_file(ctx.label.name + ".aar")
    arguments = ctx.actions.args()
    arguments.add("package")
    arguments.add(ctx.file.manifest)
    arguments.add("-o", pack)
    arguments.add("--links", "follow")
    arguments.add("--compression", ctx.attr.compression)
    arguments.add("--quiet")
    ctx.actions.run(
        executable = ctx.file.tool,
        arguments = [arguments],
        inputs = [ctx.file.manifest] + ctx.files.srcs,
        outputs = [pack],
        mnemonic = "AssetPack",
        progress_message = "Packaging " + ctx.label.name,
    )
    return [DefaultInfo(files = depset([pack]))]

asset_pack = rule(
    implementation = _asset_pack_impl,
    attrs = {
        "srcs": attr.label_list(
            allow_files = True,
            mandatory = True,
            doc = "The files that the manifest selects; a missing one is an error of the packager.",
        ),
        "manifest": attr.label(allow_single_file = [".json"], mandatory = True),
        "compression": attr.string(default = "lzfse", values = ["lzfse", "store", "zlib"]),
        "tool": attr.label(allow_single_file = True, default = "//tools:ba-package"),
    },
)
