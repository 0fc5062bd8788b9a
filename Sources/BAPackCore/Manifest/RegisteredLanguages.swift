/// The first unregistered part of a syntactically valid language tag, and its kind; nil if all are
/// registered. The registries are ISO 639, ISO 15924, and ISO 3166 with the areas of UN M.49, as in
/// RFC 5646; private-use codes are allowed.
package func unregisteredPart(ofLanguageTag tag: String) -> (kind: String, part: String)? {
  let parts = tag.split(separator: "-").map(String.init)
  guard let language = parts.first?.lowercased() else { return nil }
  if !isRegistered(language) { return ("language", parts[0]) }
  for part in parts.dropFirst() {
    if part.count == 4 {
      let script = part.prefix(1).uppercased() + part.dropFirst().lowercased()
      if !scripts.contains(script), !("Qaaa"..."Qabx").contains(script) { return ("script", part) }
    } else {
      let region = part.uppercased()
      if !regions.contains(region), !isPrivateRegion(region) { return ("region", part) }
    }
  }
  return nil
}

/// Whether a language has this lowercase code.
private func isRegistered(_ language: String) -> Bool {
  guard language.count == 3, let last = language.last else { return languages.contains(language) }
  return ("qaa"..."qtz").contains(language)
    || thirdLetters[String(language.prefix(2))]?.contains(last) ?? false
}

private func isPrivateRegion(_ region: String) -> Bool {
  region == "AA" || region == "ZZ" || ("QM"..."QZ").contains(region)
    || region.count == 2 && ("XA"..."XZ").contains(region)
}

private func words(_ text: String) -> Set<String> {
  Set(text.split(separator: " ").map(String.init))
}

/// ISO 639-1, with replaced codes that are still in use.
private let languages = words(
  """
  aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy \
  da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu \
  hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv \
  kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr \
  nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq \
  sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
  yo za zh zu
  """)

/// ISO 15924.
private let scripts = words(
  """
  Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Blis Bopo Brah \
  Brai Bugi Buhd Cakm Cans Cari Cham Cher Cirt Copt Cprt Cyrl Cyrs Deva Dsrt Dupl Egyd Egyh \
  Egyp Elba Ethi Geok Geor Glag Goth Gran Grek Gujr Guru Hanb Hang Hani Hano Hans Hant Hatr \
  Hebr Hira Hluw Hmng Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Khar Khmr Khoj Kitl \
  Kits Knda Kore Kpel Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci \
  Lydi Mahj Mand Mani Marc Maya Mend Merc Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Narb \
  Nbat Newa Nkgb Nkoo Nshu Ogam Olck Orkh Orya Osge Osma Palm Pauc Perm Phag Phli Phlp Phlv \
  Phnx Piqd Plrd Prti Qaaa Qabx Rjng Roro Runr Samr Sara Sarb Saur Sgnw Shaw Shrd Sidd Sind \
  Sinh Sora Sund Sylo Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Telu Teng Tfng \
  Tglg Thaa Thai Tibt Tirh Ugar Vaii Visp Wara Wole Xpeo Xsux Yiii Zinh Zmth Zsye Zsym Zxxx \
  Zyyy Zzzz
  """)

/// ISO 3166-1, with reserved and former codes, and the areas of UN M.49.
private let regions = words(
  """
  001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 \
  143 145 150 151 154 155 202 419 AC AD AE AF AG AI AL AM AN AO AQ AR AS AT AU AW AX AZ BA BB \
  BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BU BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN \
  CO CP CR CS CU CV CW CX CY CZ DD DE DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET EU EZ FI FJ FK \
  FM FO FR FX GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID \
  IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS \
  LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF \
  NG NI NL NO NP NR NT NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA \
  SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SU SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM \
  TN TO TP TR TT TV TW TZ UA UG UM UN US UY UZ VA VC VE VG VI VN VU WF WS XK YD YE YT YU ZA ZM \
  ZR ZW
  """)

/// ISO 639-2, 639-3 and 639-5: the third letters by the first two.
private let thirdLetters: [String: Substring] = {
  let text = """
    aaabcdefghiklnopqrstuvwxz ababcdefghijklmnopqrstuvwxyz acabdefhiklmnpqrstuvwxyz \
    adabdefghijlnoqrstuwxyz aeabcdeklmnqrsuwyz afabdeghiknoprstuz agabcdefghijklmnoqrstuvwxyz \
    ahabghiklmnoprst aiabcdefghijklmnopqrtwxy ajaginpsuwz akabcdefghijklmopqrstuvwxyz \
    alacdefghijklmnopqrstuvwxyz amabcefghijklmnopqrstuvwxyz anabcdefghijklmnopqrstuvwxyz \
    aoabcdefgijklmnrstuxz apabcdefghijklmnopqrstuvwxyz aqacdgklmnprtz arabcdeghijklnopqrstuvwxyz \
    asabcefghijklmnopqrstuvwxyz atabcdeghijklmnopqrstuvwxyz auabcdfghijklmnopqrstuwxyz \
    avabdeiklmnostuv awabcdeghikmnorstuvwxy axbegklmx ayabcdeghiklmnopqrstuz azabcdegjmnotz \
    baabcdefghijklmnoprstuvwxy bbabcdefghijklmnopqrstuvwxy bcabcdefghijklmnopqrstuvwyz \
    bdabcdefghijklmnopqrstuvwxyz beabcdefghijklmnopqrstuvwxyz bfabcdefghijklmnopqrstuwxyz \
    bgabcdefgijklnopqrstuvwxyz bhabcdefghijlmnopqrstuvwxyz biabdefghklmnopqrstuvwxyz \
    bjabcefghijklmnoprstuvwxyz bkacdfghijklmnopqrstuvwxyz blabcdefhijklmnopqrstvwxyz \
    bmabcdefghijklmnopqrstuvwxz bnabcdefgijklmnopqrstuvwxyz boabdefghijklmnopqrstuvwxyz \
    bpacdeghijklmnopqrstuvwxyz bqabcdfghijklmnopqrstuvwxyz brabcdefghijklmnopqrstuvwxyz \
    bsabcefghijklmnopqrstuvwxy btacdefghijkmnopqrstuvwxyz buabcdefghijklmnopqstuvwxyz \
    bvabcdefghijklmnopqrtuvwxyz bwabcdefghijklmnopqrstuwxyz bxabcdefghijklmnopqrsuvwz \
    byabcdefghijklmnopqrstvwxz bzabcdefghijklmnopqrstuvwxyz caabcdefghijklmnopqrstuvwxyz \
    cbabcdgijklnoqrstuvwy cccdeghjlmnoprs cdacdefhijmnorsyz ceabgklnsty cfadgm cgacgk \
    chabcdefghjklmnopqrtuvwxyz ciabcdehkmnprwy cjaehikmnopsvy ckbhlmnoqrstuvxyz \
    clacdehijklmotuwy cmacegilmnorst cnabcghiklopqrstuwx coabcdefghjklmnopqrstuvwxz \
    cpabcefginopsuxy cqd crabcdefghijklmnopqrstvwxyz csabcdefghijklmnopqrstuvwxyz \
    ctacdeghlmnopstuyz cuabchijklopqrstuvwxy cvgn cwabdegt cyabmo czhknot \
    daacdeghijklmnoqrsuvwxyz dbabdefgijlmnopqrtuvwy dccr ddadegijnorsw decdefghiklmnpqrsuvz \
    dgabcdeghiklnorstwxz dhdgilmnorsuvwx diabcdfghijklmnopqrsuvwxyz djabcdefijkmnoruw dkagkrsx \
    dlgkmn dmabcdefgklmnorsuvwxy dnadegijknortuvwy doabcefhiklnopqrstvwxyz dpp drabcdegilnoqstuy \
    dsbehilnoqz dtabdhikmnoprstuy duabcefghiklmnopqrsuvwxyz dva dwakrsuwyz dyabdgimnouy dzaeglno \
    eaa ebcgkoru ecrsy eee efaei egalmoxy ehsu eiptv eja ekaegiklmopry elehiklmoux \
    emabegikmnpqsuwxyz enabcdfghlmnoqruvwx eot epio eraghikorstw eseghiklmnoqstuxy etbchnorstuxz \
    euqs evehn eweo ext eyao ezae faabdfghijklmnoprstuxyz fbl fcs fer ffim fgr fiaefjlnprtuw \
    fkkv flahilnry fmpu fnbgi fodimnrsx fpe fqs fracdkmopqrsty fsels fubcdefhijlmnqrtuvy fvr \
    fwae gaabcdefghijklmnopqrstuwxyz gbabdefghijklmnopqrsuvwxyz gccdeflnrt \
    gdabcdefghijklmnoqrstux geabcdfghijklmqsvwxyz gfkt ggabdegkltuw ghacehklnorst \
    giabcdeghilmnpqrstuwxyz gjkmnru gkadenopu glabcdeghjkloruvwy gmabdeghlmnqruvwxyz \
    gnabcdeghijklmnoqrtuwz goabcdefghijklmnopqrstuvwxyz gpaen gqainru grabcdghijkmnoqrstuvwxyz \
    gseglmnopsw gtau guabcdefghijklmnopqrstuwxz gvacefjlmnoprsy gwabcdefgijmnrtuwx gxx \
    gyabdefgilmnoryz gzain haabcdefghijklmnopqrstuvwxyz hbabnosu hcah hdnsy heabdghimr hgmw \
    hhiry hiabdfghijklmnortwx hji hkaehkns hlabdetu hmabcdefghijklmnopqrstuvwxyz hnadeghijnosu \
    hoabcdehijklmoprstvwyz hpos hracekmoptuvwxz hsbhlns htiosux hubcdefghijklmnopqrstuvwxyz \
    hvceknv hwaco hyaewx iainr ibabdeghlmnoruy icahlr idabcdeiorstu ifabefkmuy igbeglmnosw \
    ihbipw iiinr ijcejnos ikeikloprstuvwxz ilabegikmopsuv imailnorsty inabcdeghjlmnopstz ioruw \
    ipiko iquw iraehiknoruxy isacdeghiklmnortu itabcdeiklmorstvwxyz ium ivbv iwkmos ixcl iyaox \
    izhrz jaabcdefhjklmnoqstuvxyz jbeijkmnortuw jcst jdagt jebehiklnrtu jgbeko jhis \
    jiabcdeghilmoqtuvy jjer jkamoprsu jles jmabcdilnrswx jnadgijls jobdgrsw jpanrx jqr jrabrtu \
    jsl juabcdhiklmnoprstuwy jvdn jwi jyaey kaabcdefghijklmnopqrstuvwxyz \
    kbabcdeghijklmnopqrstuvwxyz kcabcdefghijklmnopqrstuvwxyz kdacdefghijklmnopqrtuwxyz \
    keabcdefghijklmnopqrstuvwxyz kfabcdefghijklmnopqrstuvwxyz kgabefgijklmnopqrstuvwxy \
    khabcdefghijklmnopqrstuvwxyz kiabcdefghijklmnopqrstuvwxyz kjabcdeghijklmnopqrstuvxyz \
    kkabcdefghijklmnopqrstuvwxyz klabcdefghijklmnopqrstuvwxyz kmabcdefghijklmnopqrstuvwxyz \
    knabcdefgijklmnopqrstuvwxyz koacdefghiklmnopqrstuvwyz kpabcdefghijklmnoqrstuvwxyz \
    kqabcdefghijklmnopqrstuvwxyz krabcdefhijklnoprstuvwxyz ksabcdefghijklmnopqrstuvwxyz \
    ktabcdefghijklmnopqstuvwxyz kuabcdefghijklmnopqrstuvwxyz kvabcdefghijklmnopqrtuvwxyz \
    kwabcdefghijklmnoprstuvwxyz kxabcdfhijkmnopqrstvwxyz kyabcdefghijklmnopqrstuvwxyz \
    kzabcdefgiklmnopqrsuvwxyz laabcdefghijlmnopqrstuvwxyz lbbcefgijklmnoqrstuvwxyz lccdefhlmpqs \
    ldabdghijklmnopq leabcdefhijklmnopqrstuvwxyz lfan lgabghiklmnoqrtuz lhahilmnpstu \
    liabcdefghjklmnopqrstuvwxyz ljaeilpwx lkabcdehijlmnorstuy llabcdefghijklmnpqsux \
    lmabcdefghijklnopqruvwxy lnabdghijlmnsuwz loabcefghijklmnopqrstuvwxyz lpaenox lqr \
    lracegiklmnortvz lsabcdehilmnoprstvwy ltcghinosuz luabcdefgijklmnopqrstuvwyz lvaiksu \
    lwaeghlmostuw lxm lyagn lzhlnz maabdefghijklmnpqrstuvwxz mbabcdefhijklmnopqrstuvwxyz \
    mcabcdefghijklmnopqrstuvwxyz mdabcdefghijklmnpqrstuvwxyz meabcdefhijklmnopqrstuvwyz \
    mfabcdefghijklmnopqrstuvwxyz mgabcdefghijklmnopqrstuvwyz mhabcdefgijklmnopqrstuwxyz \
    miabcdefghijklmnopqrstuwxyz mjbcdeghijklmnopqrstuvwxyz mkabcdefghijklmnopqrstuvwxyz \
    mlabcefghijklmnopqrstuvwxz mmabcdefghijklmnopqrtuvwxyz mnabcdefghijklmnopqrsuvwxyz \
    moacdeghijkmnopqrstuvwxyz mpabcdeghijklmnopqrstuvwxyz mqabcefghijklmnopqrstuvwxyz \
    mrabcdefghijklmnopqrstuvwxyz msabcdefghijklmnopqrsuvwxyz mtabcdefghijklmnopqrstuvwxy \
    muabcdeghijklmnopqrstuvxyz mvabdefghiklnopqrstuvwxyz mwabcefghiklmnopqrstuvwz \
    mxabcdefghijklmnopqrstuvwxyz myabcefghjklmnoprsuvwxyz mzabcdeghijklmnopqrstuvwxyz \
    naabcefghijklmnopqrstuvwxyz nbabcdeghijklmnopqrstuvwy ncabcdefghijklmnoqrstuxz \
    ndabcdefghijklmnopqrstuvwxyz neabcdefghijkmnopqrstuvwxyz nfadlru ngabcdefghijklmnpqrstuvwxyz \
    nhabcdefghikmnopqrtuvwxyz niabcdefghijklmnoqrstuvwxyz njabdhijlmnorstuxyz \
    nkabcdefghijkmnopqrstuvwxz nlacdegijklmoquvwxyz nmabcdefghijklmnopqrstuvwxyz \
    nnabcdefghijklmnopqrtuvwyz noabcdefghijklmnpqrstuvwyz npabghilnosuxy nqgklmnoqty \
    nrabcefgiklmnprtuxz nsabcdefghiklmnopqrstuvwxyz ntdegijkmopruwxyz \
    nuabcdefghijklmnopqrstuvwxyz nvhmo nwabcegimorwxy nxadegiklmnoqrx \
    nyabcdefghijklmnopqrstuvwxy nzabdikmsuyz oaacrv obiklmortu ocahimou odaktu ofosu ogbcegou \
    ohtu oiaen ojbcgipsvw okabcdeghijklmnorsuvxz oladekmortu omabcgiklnopqrtuvwxy \
    onabegijknoprstuwx oodgnrs opakmoty oraceghimnorstuvwxyz osacinopstux otabdeiklmnoqrstuwxyz \
    ouabeim ovd owil oybdmy ozm paabcdefghiklmnopqrsuvwxyz pbbcefghilmnoprstuvy \
    pcabcdefghijklmnpw pdacinotu peabdefghijklmopqsvxyz pfael pgadgiklnsuz phadghijklmnoqrtuvw \
    piabcdefghjlmnoprstuvwxyz pjt pkabcghnoprstu plabcdefghijklnoqrstuvwyz \
    pmabdefhijklmnoqrstwxyz pnabcdeghijklmnopqrstuvwxyz pocefghiklmnopqrstvwxyz ppeiklmnopqstu \
    pqaemw pracdefghiklmnopqrstuwxz psacdeghilmnopqrstuwy ptahinopqrtuvwy puabcdefgijmopqrstuwxy \
    pwabgimnorw pxm pyemnsuxy pzhn quabcdefghiklmnpqrsvwxyz qvacehijlmnopswyz qwacehmst \
    qxachlnopqrstuw qyap raabcdfghijklmnopqrstuvwxyz rbbklp rcf rdb reabegijlmnrsty rgaeknrsu \
    rhgp riabflmnrtu rjgis rkabhimtw rmabcdefghiklmnopqstuvwxyz rnbdglnprw roabcdefghlmnopruw \
    rpnt rriot rsbklmn rtchmsw rubcefghiknopqstuyz rwaklmor rxdw rynsu rzh \
    saabcdefghijklmnoqrstuvwxyz sbabcdefghijklmnopqrstuvwxyz scbefghiklnopqstuvwx \
    sdabcefghjklnopqrstuvxz seabcdefghijklmnopqrstuvwyz sfbemsw sgabcdeghijkmnprstuwxyz \
    shabcdeghijklmnopqrstuvwxyz siabdefghijklmnopqrstuvwxyz sjabdegklmnoprstuw \
    skabcdefghijmnopqrstuvwxyz slacdefghijklmnpqrstuvwxyz smabcefghijklmnopqrstuvwxyz \
    snacdefgijklmnopqrsuvwxyz soabcdeghijklmnopqrstuvwxyz spabcdegiklmnopqrstuvxy \
    sqahijkmnoqrstux srabcdefghiklmnopqrstuvwxyz ssabcdefghijklmnopqrstuvwxyz \
    stabdefghijklmnopqrstuvwy suabcegijknoqrstvwxyz svabcekmsx swabcefghijklmnopqrstuvwxy \
    sxbcegklmnorsuw syabcdiklmnorswxy szabcdeglnpsvwy taabcdefghijklmnopqrstuvwxyz \
    tbacdefghijklmnopqrstuvwxyz tcabcdefghiklmnopqstuwxyz tdabcdefghijklmnoqrstvxy \
    teabcdefghiklmnopqrstuvwxyz tfinort tgabcdefhijklnopqrstuvwxyz thadefhiklmnpqrstuvyz \
    tiacfghijklmnopqrstuvwxyz tjagijlmnopsuw tkabdefglmnpqrstuvwxz tlabcdfghijklmnopqrstuvxy \
    tmabcdefghijklmnoqrstuvwyz tnabcdghiklmnopqrstuvwxyz tobcdfghijklmnopqrsuvwxyz \
    tpacefgijklmnopqrtuvwxyz tqblmnopqrtuw trabcdefghijklmnopqrstuvwxyz \
    tsabcdeghijklmnopqrstuvwxyz ttabcdefghijklmnopqrstuvwyz tuabcdefghijklmnopqrstuvwxyz \
    tvadeklmnostuwxy twabcdefghilmnopqrtuwxy txabceghijmnoqrstuxy tyaehijlnprstuvxyz tzahjlmnox \
    uamnr ubailruy udaegijlmu ues ufi ugabehnoy uhan uigsv uji ukaghiklpqrsuvwy ulabcefiklmnuw \
    umabcdgimnoprsu unadegikmnruxz uon upiv urabcdefghijklmnoprtuvwxyz usahikpsu utaehpru uumru \
    uvehl uwa uya uzbns vaaefghijlmnoprsuvy vbbk vecdlmnopr vgrt vicdefglnstv vkajklmnoptuz vlps \
    vmabcdefghijklmpqrsuvwxyz vnkmp volrt vraost vsilv vto vumnt vwa \
    waabcdefghijklmnopqrstuvwxyz wbabefhijklmpqrstvw wcai wddgjktuy weacdghimnoprstuw wfg \
    wgabgiouy whagku wibcefghijklmnruvy wjai wkabdlruwy wlaceghiklmnorsuvwxy wmabcdeghimnostwx \
    wnbcdegikmnopuwy woabcdefgiklmnorswy wpc wrbghiklmnoprsuvwxyz wsagikrsuv wtfhikmw \
    wuabdhlmnrtuvxy wwaborw wxaw wybimnry xaabcdegijklmnopqrstuvwy xbbcdegijmnoprwy \
    xcbceghlmnortuvwy xdackmoqy xebdglmprstu xfa xgabdfgilmnruw xhacdemortuv xibilnrsvy xjbt \
    xkabcdefgijklnopqrstuvwxyz xlabcdeginopsuy xmabcdefghjklmnopqrstuvwxyz xnabdghijkmnoqrstuyz \
    xocdgikmnoprw xpabcdefghijklmnopqrstuvwxyz xqat xrabdegimnrtuw xsabcdehijlmnopqrsuvy \
    xtabcdeghijlmnopqrstuvwy xuabdgjlmnoprtu xveinos xwacdegjklortw xxbkmrt xyabjklty xzhmp \
    yaabcdefghijklmnopqrstuvwxyz ybabehijklmnoxy ychlnp ydadegk yeaceijlrstuvy ygailmprsuw \
    yhadls yiadfghijklmnpqrstuvxz ykagiklmnortuy ylabegilmnoruy ymbcdeghiklmnopqrsxz \
    ynadegklnoqsu yobgiklmnrtxy ypabghkmnopz yrabeklmnoswy yscdglmnoprsy ytalpwy \
    yuabcdefgijklmnpqrtwxyz yvat ywaglnqrtuw yxaglmuy yyruz yzgk zaabcdefghijklmopqrstuvwxyz \
    zbaceltuw zcadh zdj zeaghn zgabhmnr zhabdinowx ziabklmnwz zkabdghknoprtuvz zlaejmnqsw \
    zmabcdefghijklmnopqrstuvwxyz znadegks zochmoqrs zpabcdefghijklmnopqrstuvwxyz zqe zragnops \
    zsaklmru zteglmnpqstuxy zuahlmny zwa zxx zybgjnp zzaj
    """
  let pairs = text.split(separator: " ").map { (String($0.prefix(2)), $0.dropFirst(2)) }
  return Dictionary(uniqueKeysWithValues: pairs)
}()
